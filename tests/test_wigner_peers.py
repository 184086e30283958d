"""Our Wigner matrices beside those of e3nn and spherical: conventions, errors, certificates.

Each test is skipped where its library is not installed; `make audit` installs both.
"""

import numpy as np
import pytest

import posproof
from posproof import wigner

#: What e3nn's matrices may be off by in float64: 3e-11 is seen in a band of small angles.
E3NN = 1e-10
#: Renames our axes x, y, z to those of e3nn, y, z, x.
RENAMED = np.eye(3)[[1, 2, 0]]


@pytest.fixture(scope="module")
def o3():
    torch = pytest.importorskip("torch")
    found = pytest.importorskip("e3nn.o3")
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield found
    torch.set_default_dtype(before)


def e3nn_matrices(o3, degree, angles):
    import torch

    return o3.wigner_D(degree, *torch.from_numpy(np.asarray(angles)).unbind(-1)).numpy()


@pytest.mark.parametrize("degree", [0, 1, 2, 5, 9])
def test_e3nn_has_our_real_matrix_of_the_same_angles(o3, degree):
    angles = np.random.default_rng(degree).uniform(-3, 3, (20, 3))
    gap = np.abs(e3nn_matrices(o3, degree, angles) - wigner.real_matrix(degree, angles)).max()
    assert gap <= E3NN


@pytest.mark.parametrize("degree", [1, 2, 5])
def test_e3nn_takes_rotations_with_renamed_axes(o3, degree):
    import torch

    angles = np.random.default_rng(degree).uniform(0.2, 3, (10, 3))
    rotations = RENAMED @ wigner.rotations_of_angles(angles) @ RENAMED.T
    irrep = o3.Irrep(degree, 1)
    found = irrep.D_from_matrix(torch.from_numpy(rotations)).numpy()
    ours = wigner.real_matrix(
        degree, wigner.angles_of_rotations(wigner.rotations_of_angles(angles))
    )
    assert np.abs(found - ours).max() <= E3NN


def small_of(o3, degree, beta):
    """d^l(beta) of e3nn, brought to our basis."""
    C = wigner.real_basis(degree)
    found = e3nn_matrices(o3, degree, [[0.0, beta, 0.0]])[0]
    return (C.T @ found @ C.conj()).real


@pytest.mark.parametrize("degree", [1, 2, 5, 10])
@pytest.mark.parametrize("angle", [0.035, 0.7, 2.0])
def test_the_certificate_covers_the_error_of_e3nn(o3, degree, angle):
    """At beta = 0.035 / l too, where its matrices are orthogonal to more digits than right."""
    beta = angle / degree if angle < 0.1 else angle
    d = small_of(o3, degree, beta)
    report = posproof.certify_wigner(d, beta)
    error = np.linalg.norm(d - wigner.nearest(2 * degree, beta), axis=0).max()
    assert report.certified
    assert error <= report.bound <= 60 * degree * max(error, 2.0**-53)


@pytest.mark.parametrize("degree", [1, 2, 5, 10, 32])
def test_spherical_has_the_conjugate_of_our_matrix(degree):
    quaternionic = pytest.importorskip("quaternionic")
    spherical = pytest.importorskip("spherical")
    q = np.random.default_rng(degree).normal(size=(10, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    n = 2 * degree + 1
    found = spherical.Wigner(degree, ell_min=degree).D(quaternionic.array(q)).reshape(-1, n, n)
    ours = wigner.matrix(2 * degree, wigner.angles_of_quaternions(q))
    assert np.abs(found.conj() - ours).max() <= 20 * n * 2.0**-53


@pytest.mark.parametrize("degree", [2, 10, 32])
def test_no_peer_is_more_accurate(o3, degree):
    quaternionic = pytest.importorskip("quaternionic")
    spherical = pytest.importorskip("spherical")
    n, made = 2 * degree + 1, spherical.Wigner(degree, ell_min=degree)
    errors = {"ours": 0.0, "e3nn": 0.0, "spherical": 0.0}
    for beta in (1e-3, 0.7, 1.5707, 2.9):
        exact = wigner.nearest(2 * degree, beta)
        q = quaternionic.array([np.cos(beta / 2), 0, np.sin(beta / 2), 0])
        found = {
            "ours": wigner.small(2 * degree, beta),
            "e3nn": small_of(o3, degree, beta),
            "spherical": made.D(q).reshape(n, n).real,
        }
        for name, d in found.items():
            errors[name] = max(errors[name], float(np.abs(d - exact).max()))
    assert errors["ours"] == min(errors.values())

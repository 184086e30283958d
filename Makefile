# Two commands matter: `make verify` and `make test`.  Both make .venv first when it is missing or
# stale; they need Python 3.11 with its venv module, and a network for the first run.

BIN := .venv/bin
# For example: make verify ARGS="mobius --profile full", make unit ARGS="tests/test_kernel.py"
ARGS ?=

.PHONY: verify test lint types unit audit audit-record audit-newest benchmark book picture lock venv clean

verify: venv
	@$(BIN)/posproof verify $(ARGS)

test: lint types unit audit

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The four floors become one package only when installed, so the types are checked on a plain install.
types: venv
	@rm -rf build
	@$(BIN)/python -m pip install --quiet --no-index --no-deps --no-build-isolation --target build/plain .
	cd build/plain && ../../$(BIN)/mypy --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache -p posproof

unit: venv
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

# Our adapters against the releases in requirements-audit.txt, and against the newest ones.
audit: venv
	@.ci/make-audit-venv .venv-audit -r requirements-audit.txt
	.venv-audit/bin/python -m pytest -q -n auto tests/test_audit_shipped.py tests/test_wigner_peers.py

# The run that the book shows.
audit-record: venv
	@.ci/make-audit-venv .venv-audit -r requirements-audit.txt
	-.venv-audit/bin/python -m posproof audit --all --json posproof/data/shipped.json

audit-newest: venv
	@.ci/make-audit-venv .venv-audit-newest torch transformers rotary-embedding-torch x-transformers \
	    diffusers e3nn
	-.venv-audit-newest/bin/python -m posproof audit --all

# Times and errors of Wigner matrices beside those of e3nn and spherical, one thread.  The run that
# the book shows: make benchmark ARGS="--json posproof/data/wigner_peers.json"
benchmark: venv
	@.ci/make-audit-venv .venv-audit -r requirements-audit.txt
	.venv-audit/bin/python benchmarks/wigner_peers.py $(ARGS)

book: venv
	$(BIN)/posproof book build

picture: venv
	$(BIN)/python book/readme_picture.py > .picture.svg && mv .picture.svg book/_static/dipole.svg

venv:
	@.ci/make-venv

# A new lock with the newest versions the bounds in pyproject.toml allow.  No address is written.
lock: venv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	    --extra book --extra dask --extra test \
	    --upgrade --no-emit-index-url --custom-compile-command "make lock" \
	    pyproject.toml -o requirements.lock

clean:
	rm -rf .venv .venv-audit .venv-audit-newest build dist *.egg-info book/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

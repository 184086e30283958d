# Two commands matter: `make verify` and `make test`.  Both make .venv first when it is missing or
# stale; they need Python 3.11 with its venv module, and a network for the first run.

BIN := .venv/bin
# For example: make verify ARGS="mobius --profile full", make unit ARGS="tests/test_kernel.py"
ARGS ?=

.PHONY: verify test lint types unit book picture lock venv clean

verify: venv
	@$(BIN)/posproof verify $(ARGS)

test: lint types unit

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The four floors become one package only when installed, so the types are checked on a plain install.
types: venv
	@rm -rf build
	@$(BIN)/python -m pip install --quiet --no-index --no-deps --no-build-isolation --target build/plain .
	cd build/plain && ../../$(BIN)/mypy --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache -p posproof

unit: venv
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

book: venv
	$(BIN)/posproof book build

picture: venv
	$(BIN)/python book/readme_picture.py > .picture.svg && mv .picture.svg book/_static/dipole.svg

venv:
	@.ci/make-venv

# A new lock with the newest versions the bounds in pyproject.toml allow.  No address is written.
lock: venv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --all-extras \
	    --upgrade --no-emit-index-url --custom-compile-command "make lock" \
	    pyproject.toml -o requirements.lock

clean:
	rm -rf .venv build dist *.egg-info book/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

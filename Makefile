# Every target sets up what it needs (deploy/setup.sh); the second time that takes no time.
# PYTHON=python3.12 chooses the interpreter; ARGS="…" is handed on to the command.
.DEFAULT_GOAL := help
.PHONY: help demo test check bench long screenshots lock clean run-env dev-env
export PYTHON

bin := .venv/bin
long := tests/bench/policy_strength.py
bench := $(filter-out $(long),$(sort $(wildcard tests/bench/[a-z]*.py)))
pin := UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile pyproject.toml --quiet --universal \
	--python-version 3.11 --generate-hashes --no-emit-index-url --group build --extra terminal --extra broker

help:  ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

demo: run-env  ## a whole game at one table (ARGS="--headless --deals 3 --seed 7 --json")
	@$(bin)/paizhuo-broker demo $(ARGS)

test: dev-env  ## all tests (ARGS="tests/engine -k tribute" for some of them)
	@$(bin)/python -m pytest $(ARGS)

check: dev-env  ## ruff, mypy --strict, the fence between the layers
	@$(bin)/ruff check .
	@$(bin)/mypy
	@$(bin)/python -m pytest --quiet tests/test_layers.py

bench: dev-env  ## speed, beside the figures that are asked for
	@set -e; for script in $(bench); do echo "== $$script"; $(bin)/python $$script; done

long: dev-env  ## 500 kills, policies' strength, engine against checker, deep property tests
	@$(bin)/python tests/e2e/kills.py --kills 500
	@$(bin)/python $(long)
	@PAIZHUO_JUDGED_GAMES=100 $(bin)/python -m pytest -q --timeout=0 tests/verify/test_judge.py -k agrees
	@$(bin)/python -m pytest -q --timeout=0 --hypothesis-profile long tests/engine tests/protocol

screenshots: dev-env  ## every screen in both languages, into build/screenshots/
	@$(bin)/python -m tests.terminal.gallery build/screenshots

lock:  ## resolve the dependencies again (needs uv)
	@command -v uv >/dev/null || { echo "make lock needs uv: pipx install uv" >&2; exit 1; }
	@$(pin) -o deploy/requirements.txt
	@$(pin) --extra dev -c deploy/requirements.txt -o deploy/requirements-dev.txt

clean:  ## away with everything that was made here
	@rm -rf .venv build *.egg-info .*_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

run-env:
	@deploy/setup.sh run

dev-env:
	@deploy/setup.sh dev

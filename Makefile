# `make demo` runs the whole pipeline, `make test` checks it. Both create .venv first.

# The first supported Python that works (a pyenv shim may exist and still fail).
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3; do \
	$$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
		2>/dev/null && echo $$python && break; done)

BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet

.PHONY: help setup test coverage docs demo gpu reproduce-thesis meta-models results bench format clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /:\t/' | expand -t 18

setup: .venv/.ready  ## create .venv and install everything into it

.venv/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "HOAD needs Python 3.11, 3.12 or 3.13: make PYTHON=..." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@# Two packages have to be built, each by one process, while the others are installed. The C files
	@# that learn2learn was published with are too old for Python 3.11, and pip would also fetch gym.
	@echo "Installing packages, and building learn2learn and the Hanabi Learning Environment"
	@CYTHON_FORCE_REGEN=1 $(PIP) wheel --no-deps --use-pep517 --wheel-dir .venv/wheels \
		--config-settings=--build-option=build_ext learn2learn==0.2.0 & learn2learn=$$!; \
	CMAKE_POLICY_VERSION_MINIMUM=3.5 $(PIP) wheel -c constraints.txt --wheel-dir .venv/wheels \
		hanabi-learning-environment==0.0.4 & hle=$$!; \
	$(PIP) install --no-compile -c constraints.txt --editable '.[dev]'; status=$$?; \
	wait $$learn2learn && $(PIP) install --no-deps --no-index --find-links .venv/wheels learn2learn \
		|| { status=1; echo "learn2learn, which trains FOMAML, could not be built:" \
			"see above; is a C compiler installed?" >&2; }; \
	wait $$hle && $(PIP) install --no-index --find-links .venv/wheels hanabi-learning-environment \
		|| echo "The Hanabi Learning Environment could not be built:" \
			"the tests that compare HOAD with it will be skipped." >&2; \
	exit $$status
	touch $@

# Bytecode is kept even where the user's settings forbid it: without it, every program that a test
# starts compiles all sources, and pytest rewrites all assertions.
test: export PYTHONDONTWRITEBYTECODE =
test: setup  ## check style, types and layers, and run the tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@# Types are checked by one process while another compiles what most tests need, and helps with
	@# the rest of it. Otherwise each worker of the tests compiles it, which takes minutes longer.
	@$(BIN)/python -m tests.compile agents & \
		{ $(BIN)/mypy && $(BIN)/python -m tests.compile models; }; status=$$?; wait; exit $$status
	$(BIN)/pytest -n 2 --dist worksteal

# Lines of compiled functions count when they run as plain Python. That takes a thousand times longer,
# so the second pass leaves out tests that play thousands of games.
coverage: setup  ## print how many lines of hoad/ the tests run: at least 90 %
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -n 2 --dist worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -q -n 2 --dist worksteal \
		-k "not published and not recorded and not anybody and not asked and not stay_what" $(PLAIN_TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --fail-under=90

PLAIN_TESTS ?= tests/game tests/agents tests/environments tests/evolution

docs: setup  ## build the site of documentation: docs/_build/index.html
	$(BIN)/sphinx-build -E -q -W --keep-going docs docs/_build

demo: setup  ## run the whole pipeline on a small scale; prints the table
	@$(BIN)/python examples/demo.py

# After the time, call it again: trainings resume, on another machine once datasets/ and checkpoints/
# have been copied there.
MINUTES ?= 13

gpu: setup  ## on a machine with a GPU: train FOMAML at full width, then what is missing of models/objectives
	$(BIN)/python examples/gpu.py --minutes $(MINUTES)

# After a stop, call it again: complete steps are skipped (except the report on imitators), and the
# step that was stopped resumes.
THESIS_AGENTS := simplebot valuebot holmesbot outer iggi piers rainbow van-den-bergh
MAML ?= models/maml-cpu.toml
REPRODUCED := results/reproduced

reproduce-thesis: setup  ## make the thesis's tables: 13 hours or more on two cores (MAML=models/maml.toml: full length, for a GPU)
	$(BIN)/python record.py play datasets/hoad.toml --resume
	@# These two need more steps to reach the thesis's self-play scores.
	$(BIN)/python train_imitator.py models/imitator.toml --agent outer --steps 72000 --resume
	$(BIN)/python train_imitator.py models/imitator.toml --agent piers --steps 48000 --resume
	for agent in $(filter-out outer piers,$(THESIS_AGENTS)); do \
		$(BIN)/python train_imitator.py models/imitator.toml --agent $$agent --resume || exit; \
	done
	$(BIN)/python evaluate.py imitators results/imitators.toml --out $(REPRODUCED)/imitators
	for agent in $(THESIS_AGENTS); do \
		$(BIN)/python train_maml.py $(MAML) --held-out $$agent --resume || exit; \
	done
	$(BIN)/python evaluate.py adhoc results/maml-imitators.toml --out $(REPRODUCED)/maml/imitators --resume
	$(BIN)/python evaluate.py adhoc results/maml-originals.toml --out $(REPRODUCED)/maml/originals --resume
	@echo "Reports: $(REPRODUCED)/imitators/report.md, $(REPRODUCED)/maml/*/report.html"

# A training takes 25 minutes of a core. Once the games are recorded, two shells can share the work:
# SEEDS=1 in one, SEEDS=2 in the other.
SEEDS ?= 0 1 2

meta-models: setup  ## train the narrow meta-models: all partners and families, three seeds (13 hours of one core)
	$(BIN)/python record.py play datasets/hoad.toml --resume
	for seed in $(SEEDS); do \
		for agent in $(THESIS_AGENTS); do \
			$(BIN)/python train_maml.py models/maml-narrow.toml --held-out $$agent --seed $$seed --resume || exit; \
		done; \
		for family in odwyer walton-rivers; do \
			$(BIN)/python train_maml.py models/maml-narrow.toml --held-out-family $$family --seed $$seed --resume || exit; \
		done; \
	done

# A table that was stopped goes on; networks and populations that come with HOAD play. Processes,
# because torch draws random numbers for one thread of a process at a time.
results: TABLES = agents agents-family imitators imitators-family search search-family search-imitators
results: setup  ## make the tables of the main comparison: results/adhoc/ (6 minutes; hours without the kept games)
	for table in agents agents-family imitators imitators-family controls; do \
		$(BIN)/python evaluate.py adhoc results/adhoc-$$table.toml --backend loky --resume || exit; \
	done
	$(BIN)/python evaluate.py leaderboard $(foreach table,$(TABLES) search-oracle controls strangers strangers-programs strangers-lists people,results/adhoc/$(table))
	$(BIN)/python evaluate.py headline $(foreach table,$(filter-out imitators-family,$(TABLES)),results/adhoc/$(table))

bench: setup  ## measure the speed on this machine
	$(BIN)/python benchmarks/run.py

format: setup  ## format the code as `make test` requires
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:  ## remove .venv and all caches, but no games and no checkpoints
	rm -rf docs/_build docs/report-*.md .venv .coverage* .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find hoad tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

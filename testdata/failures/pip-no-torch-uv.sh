# The same by uv.
# lane: e2e
# label: build-isolation-hides-torch
# needs: uv
mkdir pkg
printf '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n[project]\nname = "ext"\nversion = "1"\n' > pkg/pyproject.toml
printf 'def get_requires_for_build_wheel(config_settings=None):\n    import torch\n    return []\n' > pkg/backend.py
"$BED/uv/bin/uv" build --wheel --offline --python "$(command -v python3)" pkg

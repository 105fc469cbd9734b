# A package whose build imports torch, built by pip in isolation. Its backend is in the tree, so nothing is fetched.
# label: build-isolation-hides-torch
mkdir pkg
printf '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n[project]\nname = "ext"\nversion = "1"\n' > pkg/pyproject.toml
printf 'def get_requires_for_build_wheel(config_settings=None):\n    import torch\n    return []\n' > pkg/backend.py
python3 -m pip wheel --no-deps ./pkg

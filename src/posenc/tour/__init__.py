"""The main job: shows and proves how positions work, or how the model in a config tells them."""

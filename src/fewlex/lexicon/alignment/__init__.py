"""IBM Model 2 (§4.1): which word of a sentence gave rise to which word of its translation. No torch.

This file imports nothing, so that numpy is loaded only when something is aligned.
"""

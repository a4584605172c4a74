"""The Bayesian learner (§4.1): lexicons are drawn from their posterior by Markov chains. No torch.

This file imports nothing, so that numpy is loaded only when something is sampled.
"""

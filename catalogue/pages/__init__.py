"""The pages: one module for each kind, thin above the features."""

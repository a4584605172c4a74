class W:
    def tokenize(self,t): return tuple(t.split())
    def detokenize(self,t): return " ".join(t)
def make_tokenizer(n): return W()

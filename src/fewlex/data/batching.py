"""placeholder"""
import random
def bucketed_batches(lengths, max_examples, max_tokens, rng):
    order=list(range(len(lengths)))
    if rng: rng.shuffle(order)
    order.sort(key=lambda i:(lengths[i][1]+(rng.random()*2 if rng else 0),lengths[i][0]))
    out=[];cur=[]
    for i in order:
        if cur and (len(cur)>=max_examples or (max_tokens and (len(cur)+1)*lengths[i][1]>max_tokens)): out.append(cur);cur=[]
        cur.append(i)
    if cur: out.append(cur)
    if rng: rng.shuffle(out)
    return out

/// A picture that needs no network: the sun over the sea, 160 by 72 pixels.
let sunset =
  "data:image/png;base64,"
  + "iVBORw0KGgoAAAANSUhEUgAAAKAAAABICAIAAAD+ummVAAAA20lEQVR42u3XoQ2EQBCG0W3jDPo0Go1Goyni"
  + "KqEmKkHTAVgSzJHLsZPJS74CNvvMP6VrRiWu+ALAAizAAizAAizAgAVYgBUA+NNOShxgwAIswAIswAIswIAF"
  + "WIAVAXgZByUOMGABFmABFmABFmDAutW+zucA53S9BjizbhDjss29bvUl7bmKrwUMWL/p1jUG/IRuRWPAgAWY"
  + "blhjwIAFGDBgwICt6H8Av/tJiQMMWIAVF/jVDkocYMACrLjAZogVLcACLHewrGgBFmB3sKxoARZguYNlRQsw"
  + "YKXsAKTU/pp0yJAcAAAAAElFTkSuQmCC"

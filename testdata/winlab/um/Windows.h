#error "the stand-in has no Windows SDK"

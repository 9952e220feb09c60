// Wine 8 ends a socket in UNKNOWN whose keep-alive is set before it connects: what is run there leaves it out.
require("node:net").Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this
}

"""The Lua scripts that a Redis server runs for the store: each checks first and only then writes.

A script runs alone in the server, so that nothing can come between the check and the write. It is
not rolled back: therefore nothing that can fail stands after the first write.
"""

CREATE = """
local there = redis.call('GET', KEYS[1])
if there then
  if there == ARGV[1] then return 'ok' end
  return 'exists'
end
redis.call('SET', KEYS[1], ARGV[1])
local at = 2
for table = 2, 4 do
  local pairs = tonumber(ARGV[at])
  for i = at + 1, at + 2 * pairs, 2 do
    redis.call('HSET', KEYS[table], ARGV[i], ARGV[i + 1])
  end
  at = at + 2 * pairs + 1
end
return 'ok'
"""
"""Keys secret, meta, definitions, blobs; arguments secret, then for each of the three tables how
many pairs it gets and its keys and values. Again is a success."""

APPEND = """
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {'lost', redis.call('GET', KEYS[3]) or ''}
end
local number, prev, at = tonumber(ARGV[2]), ARGV[3], 7
local head, digest = -1, ''
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last then
  head, digest = tonumber(string.match(last[1], '^(%d+)-1$')), last[2][2]
  if not head then return {'damaged', last[1]} end
end
while number <= head and at < #ARGV do
  local id = string.format('%.0f-1', number)
  local there = redis.call('XRANGE', KEYS[1], id, id)[1]
  if not there or there[2][2] ~= ARGV[at] or there[2][4] ~= ARGV[at + 1] then
    return {'conflict', head}
  end
  number, prev, at = number + 1, ARGV[at], at + 2
end
if at > #ARGV then return {'ok'} end
if number ~= head + 1 then return {'conflict', head} end
if head >= 0 and digest ~= prev then return {'digest', head} end
if redis.call('PTTL', KEYS[3]) * 2 < tonumber(ARGV[5]) then
  redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[5])
end
for i = at, #ARGV, 2 do
  redis.call('XADD', KEYS[1], string.format('%.0f-1', number), 'd', ARGV[i], 'e', ARGV[i + 1],
             't', ARGV[6])
  number = number + 1
end
return {'ok'}
"""
"""Keys log, token, lease; arguments token, number, digest before, holder, time to live, the time
(to ask the server's clock costs a tenth of an append), then digest and entry of each commit.
Commits that are there already, byte for byte, are passed over: so a lost reply is recognised. The
lease is held anew once half of it has passed."""

ACQUIRE = """
if redis.call('EXISTS', KEYS[3]) == 0 then return {'unknown'} end
local held = redis.call('GET', KEYS[2])
if held == ARGV[1] then
  return {'ok', string.match(redis.call('GET', KEYS[1]) or '', '^%d+')}
end
if held and held ~= ARGV[3] then return {'held', held} end
local last = redis.call('GET', KEYS[1]) or '0'
local token = string.format('%.0f', tonumber(string.match(last, '^%d+')) + 1)
redis.call('SET', KEYS[1], token .. ARGV[4])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return {'ok', token}
"""
"""Keys token, lease, secret; arguments holder, time to live, the dead holder to take over from, and
the holder's mark.

The mark stands behind the token's number: a failover may forget who took a lease, and the next one
to take it then gets the same number.
"""

RENEW = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return {'lost', redis.call('GET', KEYS[2]) or '', redis.call('XLEN', KEYS[3])}
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return {'ok'}
"""
"""Keys token, lease, log; arguments token, holder, time to live."""

RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[2])
  local token = tonumber(string.match(ARGV[1], '^%d+')) + 1
  redis.call('SET', KEYS[1], string.format('%.0f', token))
end
return {'ok'}
"""
"""Keys token, lease; argument token. The token moves on, so that the fence is worthless."""

PACK = """
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {'lost', redis.call('GET', KEYS[4]) or ''}
end
local count = redis.call('XLEN', KEYS[1])
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last then
  if redis.call('HGET', KEYS[3], 'd') == ARGV[3] then return {'ok'} end
  return {'conflict', 0}
end
if count ~= tonumber(ARGV[2]) or last[2][2] ~= ARGV[3] then return {'conflict', count} end
redis.call('HSET', KEYS[3], 'n', ARGV[2], 'd', ARGV[3], 'z', ARGV[4])
redis.call('DEL', KEYS[1])
return {'ok'}
"""
"""Keys log, token, packed, lease; arguments token, number of commits, digest of the last, record.
Again is a success."""

UNPACK = """
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return {'lost', redis.call('GET', KEYS[4]) or ''}
end
if redis.call('EXISTS', KEYS[3]) == 0 then return {'ok'} end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return {'conflict', redis.call('XLEN', KEYS[1])}
end
local number = 0
for i = 3, #ARGV, 3 do
  redis.call('XADD', KEYS[1], string.format('%.0f-1', number), 'd', ARGV[i], 'e', ARGV[i + 1],
             't', ARGV[i + 2])
  number = number + 1
end
redis.call('DEL', KEYS[3])
return {'ok'}
"""
"""Keys log, token, packed, lease; arguments token, number of commits, then digest, entry and time
of each. Again is a success."""

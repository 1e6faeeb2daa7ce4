-- What every thread of wrk sends, and what it counts: answers, refusals (429), anything else.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = io.open(os.getenv("BODY")):read("*a")

local threads = {}
function setup(thread) table.insert(threads, thread) end

function init() answered, refused, other = 0, 0, 0 end

function response(status)
  if status == 200 then answered = answered + 1
  elseif status == 429 then refused = refused + 1
  else other = other + 1 end
end

function done(summary, latency)
  local sums = { answered = 0, refused = 0, other = 0 }
  for _, thread in ipairs(threads) do
    for name, sum in pairs(sums) do sums[name] = sum + thread:get(name) end
  end
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("figures %f %d %d %d %d %f %f\n", summary.duration / 1e6, sums.answered, sums.refused,
    sums.other, broken, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

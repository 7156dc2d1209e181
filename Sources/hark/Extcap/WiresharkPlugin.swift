// Made by Tools/generate-plugin.py from wireshark/hark.lua. Do not edit.
// swift-format-ignore-file

/// The plug-in that shows hark's comments as fields.
enum WiresharkPlugin {
  static let file = WiresharkFile(
    name: "hark.lua", mark: "-- Shows what hark adds to a packet as fields of Wireshark: columns, filters, and a tree.", text: text, mode: 0o644, option: "--plugins")

  static let text = #"""
-- Shows what hark adds to a packet as fields of Wireshark: columns, filters, and a tree.
--
-- hark writes it into comments of pcapng: 'hark convert session.pklg session.pcapng --keys acme.harkkeys', or as a
-- source of Wireshark's ('hark extcap install'). This plug-in belongs in the folder 'Personal Lua Plugins' of Help >
-- About Wireshark > Folders.
--
--   hark.kind == "notification"                  what happened, by lane of the timeline
--   hark.notification.title contains "Train"
--   hark.field contains "pebble.message_message_type: remove"

local hark = Proto("hark", "hark")

local fields = {
  kind = ProtoField.string("hark.kind", "Kind"),
  event = ProtoField.string("hark.event", "Event"),
  field = ProtoField.string("hark.field", "Field"),
  plaintext = ProtoField.bytes("hark.plaintext", "Plaintext"),
  length = ProtoField.uint32("hark.plaintext.length", "Plaintext Length"),
  source = ProtoField.string("hark.notification.source", "Source"),
  title = ProtoField.string("hark.notification.title", "Title"),
  subtitle = ProtoField.string("hark.notification.subtitle", "Subtitle"),
  body = ProtoField.string("hark.notification.body", "Body"),
  id = ProtoField.string("hark.notification.id", "Identifier"),
}
local list = {}
for _, field in pairs(fields) do list[#list + 1] = field end
hark.fields = list

local comment = Field.new("frame.comment")

-- The texts in “ ” that follow each other, and what is after them.
local function quoted(text)
  local found, rest = {}, text
  while rest:sub(1, 3) == "“" do
    -- A text may have such marks itself: it ends where a blank, a sign or nothing follows.
    local from, to = 4, nil
    while true do
      local start, stop = rest:find("”", from, true)
      if not start then return found, rest end
      local next = rest:sub(stop + 1, stop + 1)
      if next == "" or next == ";" or next == " " and rest:sub(stop + 2, stop + 4) == "“" then
        to = start
        break
      end
      from = stop + 1
    end
    found[#found + 1] = rest:sub(4, to - 1)
    rest = rest:sub(to + 3):gsub("^ ", "")
  end
  return found, rest
end

-- 'notification from Messages: “Mara” “The train is late”; actions [Reply…]; id msg-7'
local function notification(text, tree)
  local source, rest = text:match("^notification from (.-): (“.*)$")
  if not source then source, rest = text:match("^notification from (.-)(;.*)$") end
  if not source then return end
  tree:add(fields.source, source):set_generated()
  local texts, after = quoted(rest)
  if texts[1] then tree:add(fields.title, texts[1]):set_generated() end
  if #texts > 2 then tree:add(fields.subtitle, texts[2]):set_generated() end
  if #texts > 1 then tree:add(fields.body, texts[#texts]):set_generated() end
  local id = after:match("; id ([^;]+)$") or after:match("^id ([^;]+)$")
  if id then tree:add(fields.id, id):set_generated() end
end

-- 'pebble.kind: 2, pebble.name: "a, b"': a value ends where another path begins.
local function layout(text, tree)
  local place = 1
  while place do
    local start = text:find(", [%w_]+%.[%w_.]+: ", place)
    tree:add(fields.field, text:sub(place, start and start - 1 or nil)):set_generated()
    place = start and start + 2
  end
end

function hark.dissector(buffer, packet, tree)
  local own
  for _, found in ipairs({ comment() }) do
    local text = tostring(found.value):match("^hark: (.*)$")
    if text then
      own = own or tree:add(hark, "hark")
      local length, digits = text:match("^plaintext %((%d+) bytes?%): (%x*)")
      local kind, event = text:match("^(%l+): (.*)$")
      if length then
        own:add(fields.length, tonumber(length)):set_generated()
        if #digits > 0 then
          own:add(fields.plaintext, ByteArray.new(digits):tvb("Plaintext")()):set_generated()
        end
      elseif text:match("^[%w_]+%.[%w_.]+: ") then
        layout(text, own)
      elseif kind then
        own:add(fields.kind, kind):set_generated()
        local node = own:add(fields.event, event)
        node:set_generated()
        if kind == "notification" then notification(event, node) end
      end
    end
  end
end

register_postdissector(hark)

"""#
}

-- Shows what hark adds to a packet as fields of Wireshark: columns, filters, and a tree.
--
-- hark writes it into pcapng comments: with 'hark convert session.pklg session.pcapng --keys acme.harkkeys', or as a
-- Wireshark capture source ('hark extcap install'). This plug-in belongs in the folder that Help > About Wireshark >
-- Folders lists as 'Personal Lua Plugins'.
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
  action = ProtoField.string("hark.reply.action", "Action"),
  text = ProtoField.string("hark.reply.text", "Text"),
}
local list = {}
for _, field in pairs(fields) do list[#list + 1] = field end
hark.fields = list

local comment = Field.new("frame.comment")

-- The comment 'hark.notification.title: Rain' is a field with this name.
local texts = {
  ["notification.source"] = fields.source, ["notification.title"] = fields.title,
  ["notification.subtitle"] = fields.subtitle, ["notification.body"] = fields.body,
  ["notification.id"] = fields.id, ["reply.action"] = fields.action, ["reply.text"] = fields.text,
}

local function plaintext(digits, tree)
  tree:add(fields.plaintext, ByteArray.new(digits):tvb("Plaintext")()):set_generated()
end

-- Where the text that begins at a quotation mark ends: a backslash is in front of the marks in it.
local function afterText(text, start)
  local place = start + 1
  while true do
    local found = text:find('[\\"]', place)
    if not found then return #text + 1 end
    if text:sub(found, found) == '"' then return found + 1 end
    place = found + 2
  end
end

-- 'pebble.kind: 2, pebble.name: "a, b"': a value ends where another path begins, but not within a text.
local function layout(text, tree)
  local place = 1
  while place do
    local _, stop = text:find("^[%w_]+%.[%w_.]+: ", place)
    local from = stop and stop + 1 or place
    if text:sub(from, from) == '"' then from = afterText(text, from) end
    local start = text:find(", [%w_]+%.[%w_.]+: ", from)
    tree:add(fields.field, text:sub(place, start and start - 1 or nil)):set_generated()
    place = start and start + 2
  end
end

function hark.dissector(buffer, packet, tree)
  local own, node
  for _, found in ipairs({ comment() }) do
    local text = tostring(found.value):match("^hark: (.*)$")
    if text then
      own = own or tree:add(hark, "hark")
      local length, content = text:match("^plaintext %((%d+) bytes?%): (.*)$")
      local name, value = text:match("^hark%.([%l.]+): (.*)$")
      local kind, event = text:match("^(%l+): (.*)$")
      if length then
        own:add(fields.length, tonumber(length)):set_generated()
        -- Comments hold the beginning of long ones.
        local isBytes = content:match("^%x+$") and (#content == 2 * length or #content > 60000)
        if isBytes then plaintext(content:sub(1, #content - #content % 2), own) end
      elseif name == "plaintext" then
        plaintext(value:sub(1, #value - #value % 2), own)
      elseif texts[name] then
        (node or own):add(texts[name], value):set_generated()
      elseif text:match("^[%w_]+%.[%w_.]+: ") then
        layout(text, own)
      elseif kind then
        own:add(fields.kind, kind):set_generated()
        node = own:add(fields.event, event)
        node:set_generated()
      end
    end
  end
end

register_postdissector(hark)

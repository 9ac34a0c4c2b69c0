# #cloud-config on standard input -> a shell script that applies it. State: the stack of keys by indentation.
function quoted(s,   n, parts, i, out) {
  n = split(s, parts, "'"); out = parts[1]
  for (i = 2; i <= n; i++) out = out "'\\''" parts[i]
  return "'" out "'"
}
function trim(s) { sub(/^[ \t]+/, "", s); sub(/[ \t]+$/, "", s); return s }
function scalar(s) {
  s = trim(s)
  if (s ~ /^".*"$/) { s = substr(s, 2, length(s) - 2); gsub(/\\n/, "\n", s); gsub(/\\"/, "\"", s); gsub(/\\\\/, "\\", s); return s }
  if (s ~ /^'.*'$/) { s = substr(s, 2, length(s) - 2); gsub(/''/, "'", s); return s }
  sub(/[ \t]+#.*$/, "", s)
  return s
}
# [a, "b c", 'd'] -> shell words
function words(s,   out, item, c, i, quote) {
  s = trim(s); s = substr(s, 2, length(s) - 2); out = ""; item = ""; quote = ""
  for (i = 1; i <= length(s); i++) {
    c = substr(s, i, 1)
    if (quote == "" && c == ",") { out = out " " quoted(scalar(item)); item = "" } else {
      if (quote == "" && (c == "\"" || c == "'")) quote = c
      else if (c == quote && substr(s, i - 1, 1) != "\\") quote = ""
      item = item c
    }
  }
  if (trim(item) != "") out = out " " quoted(scalar(item))
  return trim(out)
}
function add_key(user, key) {
  print "add_key " quoted(user) " " quoted(key)
}
function end_file() {
  if (path == "") return
  folder = path
  if (sub(/\/[^\/]*$/, "", folder) && folder != "") print "[ -d " quoted(folder) " ] || mkdir -p " quoted(folder)
  decode = encoding ~ /^(b64|base64)$/ ? " | base64 -d" : ""
  print "printf %s " quoted(content) decode (append == "true" ? " >>" : " >") quoted(path)
  if (mode != "") print "chmod " quoted(mode) " " quoted(path)
  path = content = mode = encoding = append = ""
}
function end_command() { if (command != "") print command; command = "" }
function end_item() { if (top == "write_files") end_file(); if (top == "runcmd") end_command() }
function set(key, value) {
  if (top == "write_files") {
    if (key == "path") path = value; else if (key == "content") content = value
    else if (key == "permissions") mode = value; else if (key == "encoding") encoding = value
    else if (key == "append") append = value
  } else if (top == "users" && key == "name") { user = value; print "add_user " quoted(user) }
  else if (top == "hostname" || (top == "fqdn" && key == "fqdn")) print "hostname " quoted(value)
}
function list_item(value) {
  if (top == "ssh_authorized_keys") add_key("root", scalar(value))
  else if (top == "users" && sub_key == "ssh_authorized_keys") add_key(user, scalar(value))
  else if (top == "runcmd") command = (command == "" ? "" : command " ") (inner ? quoted(scalar(value)) : value ~ /^\[/ ? words(value) : scalar(value))
}
BEGIN {
  print "add_user() { id \"$1\" >/dev/null 2>&1 || { mkdir -p \"/home/$1\"; echo \"$1:x:$((1000 + $(wc -l </etc/passwd))):1000::/home/$1:/bin/sh\" >>/etc/passwd; }; }"
  print "add_key() { home=$(awk -F: -v u=\"$1\" '$1 == u { print $6 }' /etc/passwd); mkdir -p \"$home/.ssh\"; echo \"$2\" >>\"$home/.ssh/authorized_keys\"; chmod 700 \"$home/.ssh\"; chmod 600 \"$home/.ssh/authorized_keys\"; chown -R \"$1\" \"$home\" 2>/dev/null; }"
}
{ sub(/\r$/, "") }
# inside a | or > block
block != "" {
  match($0, /^ */); indent = RLENGTH
  if ($0 ~ /^ *$/) { text = text (text == "" && block_indent < 0 ? "" : "\n"); next }
  if (block_indent < 0 && indent > block_parent) block_indent = indent
  if (block_indent >= 0 && indent >= block_indent) {
    text = text substr($0, block_indent + 1) (folded ? " " : "\n")
    next
  }
  finish_block()
}
function finish_block() {
  sub(/[ \n]+$/, "", text)
  if (chomp == "") text = text "\n"
  if (block == "-") { command = (command == "" ? "" : command " ") text } else set(block, text)
  block = ""
}
function open_block(key, value, parent) {
  if (value !~ /^[|>][-+0-9]*$/) return 0
  block = key; text = ""; block_indent = -1; block_parent = parent; folded = value ~ /^>/; chomp = value ~ /-/ ? "-" : ""
  return 1
}
/^[ \t]*(#|$)/ || /^---/ { next }
{
  match($0, /^ */); indent = RLENGTH; line = substr($0, indent + 1)
  if (indent == 0 && line !~ /^- /) {
    end_item(); top = line; sub(/:.*/, "", top); value = line; sub(/^[^:]*:[ \t]*/, "", value); value = trim(value)
    sub_key = ""; item_indent = -1; inner = 0
    if (value ~ /^\[.*\]$/ && top == "ssh_authorized_keys") { n = split(substr(value, 2, length(value) - 2), keys, /, */); for (i = 1; i <= n; i++) add_key("root", scalar(keys[i])) }
    else if (value != "") set(top, scalar(value))
    next
  }
  if (line ~ /^- / || line == "-") {
    if (item_indent < 0 || indent <= item_indent) { end_item(); item_indent = indent; inner = 0; sub_key = "" }
    rest = line; sub(/^-[ \t]*/, "", rest)
    if (top == "runcmd" && indent > item_indent) inner = 1
    if (top == "runcmd" && rest ~ /^- /) { inner = 1; sub(/^-[ \t]*/, "", rest) }
    if (top == "runcmd" || top == "ssh_authorized_keys" || (top == "users" && sub_key != "" && indent > item_indent)) {
      if (open_block("-", rest, indent)) next
      list_item(rest); next
    }
    line = rest; indent += 2
  }
  if (line ~ /^[A-Za-z_"'-]+:/) {
    key = line; sub(/:.*/, "", key); gsub(/["']/, "", key); value = line; sub(/^[^:]*:[ \t]*/, "", value); value = trim(value)
    sub_key = key
    if (open_block(key, value, indent)) next
    if (top == "users" && key == "ssh_authorized_keys" && value ~ /^\[.*\]$/) { n = split(substr(value, 2, length(value) - 2), keys, /, */); for (i = 1; i <= n; i++) add_key(user, scalar(keys[i])) }
    else if (value != "") set(key, scalar(value))
  }
}
END { if (block != "") finish_block(); end_item() }

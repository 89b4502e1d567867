# A cache in front of a forum, for Varnish 7. Copy to /etc/varnish/teahouse.vcl, change the lines marked CHANGE, and start
# `varnishd -a 127.0.0.1:6081 -f /etc/varnish/teahouse.vcl -s malloc,512m`. Varnish speaks no TLS: deploy/nginx/one-server.conf stands before
# it, with 127.0.0.1:6081 as its server. The forum is started with TEAHOUSE_URL=https://tea.example.org and TEAHOUSE_TRUSTED_PROXIES=127.0.0.1
vcl 4.1;

import cookie;
import std;

backend teahouse {
  .host = "127.0.0.1"; # CHANGE
  .port = "3000"; # CHANGE
  .connect_timeout = 5s;
  # A large picture may wait for its turn.
  .first_byte_timeout = 120s;
  .between_bytes_timeout = 75s;
  .probe = {
    # The process alone, not its database: without that the forum still has pages.
    .request =
      "GET /health/live HTTP/1.1"
      "Host: tea.example.org" # CHANGE
      "Connection: close";
    .interval = 2s;
    .timeout = 5s;
    .window = 4;
    .threshold = 2;
  }
}

sub vcl_recv {
  # Who the visitor is, the proxy in front says. Varnish adds that proxy's address to X-Forwarded-For by itself.
  unset req.http.Forwarded;
  unset req.http.X-Real-IP;

  # Streams of events name their type. In a pipe either side hears at once that the other has left.
  if (req.http.Accept ~ "text/event-stream") {
    return (pipe);
  }
  # Writes, calls, the administration and what bears a token are between the browser and the forum, unchanged.
  if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization || req.url ~ "^/(api|admin|mcp|health|metrics)([/?]|$)") {
    return (pass);
  }
  # Who wrote in the last ten minutes sees everything as it is now, for that is what they look for. The forum sets this cookie with each write.
  if (req.http.Cookie ~ "(^|;\s*)(__Secure-)?teahouse_wrote=") {
    return (pass);
  }

  # The same page is for all visitors and members; the browser asks for a member's own things by calls. Of the cookies it depends on the chosen
  # language, and on the layout where a site has several, which the forum lets nobody keep. All others, such as cms_token, say nothing to it.
  cookie.parse(req.http.Cookie);
  cookie.keep("language,accessModule");
  if (cookie.get("language") !~ "^(zh_CN|en_US)$") {
    cookie.delete("language");
  }
  set req.http.Cookie = cookie.get_string();
  if (req.http.Cookie == "") {
    unset req.http.Cookie;
  }

  # There are two languages, and hundreds of ways in which browsers ask for them. What comes first without a weight is preferred. Who weighs
  # the first one too is left to the forum, and gets a copy of their own.
  if (!req.http.Accept-Language || req.http.Accept-Language ~ "^\s*(?!(?i)zh)[^,;]*(,|$)") {
    set req.http.Accept-Language = "en-US";
  } elsif (req.http.Accept-Language ~ "^\s*(?i)zh[^,;]*(,|$)") {
    set req.http.Accept-Language = "zh-CN";
  }
  return (hash);
}

sub vcl_pipe {
  # Another request on the same connection would go past the rules above.
  set bereq.http.Connection = "close";
}

sub vcl_backend_response {
  # The forum says how long a page may be kept (s-maxage), and what nobody may keep (private, no-store). A large file would push out
  # a thousand pages.
  if (std.integer(beresp.http.Content-Length, 0) > 4194304) {
    set beresp.uncacheable = true;
  }
}

sub vcl_deliver {
  # Whether it came from here, for operators and browsers' tools.
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
}

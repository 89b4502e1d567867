-- Parts of requests that a model refuses, learned from its refusals or set by staff: requests are sent without them.
alter table assistant_model add refused_parts text[] not null default '{}'
  check (refused_parts <@ '{max_tokens,max_completion_tokens,stream_options,stream,tool_choice,tools,system}');

-- The assistant: models that staff set up, conversations of members, and what each answer took.

create table assistant_model (
  id              bigint generated always as identity primary key,
  name            text not null check (name <> ''),   -- what staff call it
  protocol        text not null check (protocol in ('openai', 'anthropic')),
  address         text not null,
  model           text not null check (model <> ''),
  api_key         bytea,   -- sealed; null where the provider asks for none
  has_key         boolean not null generated always as (api_key is not null) stored,   -- said to staff, who never read the key
  jobs            text[] not null check (jobs <@ '{chat,summary,writing,translation}'),
  is_enabled      boolean not null,
  is_stand_in     boolean not null default false,   -- answers by rule, for development
  sort            integer not null default 0,
  version         integer not null default 1,
  context_tokens  integer not null check (context_tokens between 2000 and 4000000),
  -- Cents for a million tokens.
  input_price     integer not null default 0 check (input_price >= 0),
  cached_price    integer not null default 0 check (cached_price >= 0),
  output_price    integer not null default 0 check (output_price >= 0),
  added_at        timestamptz not null default now(),
  -- The last failure, shown to staff, and how many followed one another.
  failed_at       timestamptz,
  failure         text,
  failures        integer not null default 0,
  -- The model is not asked before this moment.
  rests_until     timestamptz
);

create table assistant_conversation (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member,
  title       text not null,
  -- The thread that was open when it began; later questions may mean others.
  topic_id    bigint references topic on delete set null,
  created_at  timestamptz not null default clock_timestamp(),
  updated_at  timestamptz not null default clock_timestamp()
);
alter table assistant_conversation enable row level security;
create index on assistant_conversation (member_id, updated_at desc, id desc);   -- a member's history
create index on assistant_conversation (updated_at);   -- what is deleted after its time
create index on assistant_conversation (topic_id) where topic_id is not null;

create table assistant_turn (
  id               bigint generated always as identity primary key,
  conversation_id  bigint not null references assistant_conversation on delete cascade,
  prompt           text not null,
  answer           text not null default '',   -- Markdown without addresses that were not shown
  sources          jsonb not null default '[]',   -- what of the forum it read: number, title, address
  state            text not null default 'running' check (state in ('running', 'finished', 'stopped', 'failed')),
  left_out         text[] not null default '{}' check (left_out <@ '{turns,thread}'),   -- what its model did not read, for it was too much
  failure          text,   -- code of the refusal that ended it
  failure_values   jsonb not null default '{}',   -- of its words
  is_stand_in      boolean not null default false,
  created_at       timestamptz not null default clock_timestamp(),
  ended_at         timestamptz,
  constraint ended_once check ((state = 'running') = (ended_at is null) and (failure is null or state = 'failed'))
);
alter table assistant_turn enable row level security;
create index on assistant_turn (conversation_id, id);
create index on assistant_turn (created_at) where state = 'running';   -- those that were cut off with their server

-- Reports of answers. The text of a report is in assistant_report_copy, which the function reported_turns alone reads for staff.
create table assistant_report (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member,
  turn_id      bigint references assistant_turn on delete set null,
  reason       text not null check (reason in ('incorrect', 'harmful', 'illegal', 'privacy', 'other')),
  note         text not null,
  reported_at  timestamptz not null default clock_timestamp(),
  result       text,   -- answer to the reporter
  handled_by   bigint references staff,
  handled_at   timestamptz,
  check ((handled_at is null) = (handled_by is null) and (handled_at is null) = (result is null))
);
create unique index on assistant_report (turn_id) where handled_at is null;   -- an answer is reported again once its report is handled
create index on assistant_report (turn_id) where turn_id is not null;
create index on assistant_report (id) where handled_at is null;   -- the queue
create index on assistant_report (member_id);

-- The conversation up to the reported answer, as it was at that time.
create table assistant_report_copy (
  report_id  bigint primary key references assistant_report on delete cascade,
  member_id  bigint not null references member,
  turns      jsonb not null
);
alter table assistant_report_copy enable row level security;
create index on assistant_report_copy (member_id);

-- One call of a model for a member: reserved before, settled after. It outlives the conversation.
create table assistant_usage (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member,
  model_id       bigint references assistant_model on delete set null,   -- null until one answers
  -- The turn of a chat: one that was cut off with its server is settled by it.
  turn_id        bigint references assistant_turn on delete set null,
  job            text not null check (job in ('chat', 'summary', 'writing', 'translation', 'test')),
  input_tokens   integer not null default 0 check (input_tokens >= 0),
  cached_tokens  integer not null default 0 check (cached_tokens >= 0),   -- of the input
  output_tokens  integer not null default 0 check (output_tokens >= 0),
  cost           bigint not null default 0 check (cost >= 0),   -- millionths of a cent
  is_estimated   boolean not null default false,   -- the provider did not say what it took
  began_at       timestamptz not null default clock_timestamp(),
  -- The process that writes the answer says again and again that it lives.
  beat_at        timestamptz not null default clock_timestamp(),
  ended_at       timestamptz
);
create index on assistant_usage (member_id, began_at);   -- what a member used today
-- Sums by day, read from the index alone.
create index on assistant_usage (began_at) include (job, model_id, member_id, input_tokens, cached_tokens, output_tokens, cost, is_estimated, ended_at);
create index on assistant_usage (began_at) where ended_at is null;   -- streams that run
create index on assistant_usage (turn_id) where turn_id is not null;
create index on assistant_usage (model_id) where model_id is not null;

-- Texts made of a thread, by the hash of the whole request: a reader of the same words finds them.
create table generated_text (
  hash         bytea primary key check (octet_length(hash) = 32),
  topic_id     bigint not null references topic on delete cascade,
  text         text not null,
  is_stand_in  boolean not null,
  made_at      timestamptz not null default clock_timestamp(),
  used_at      timestamptz not null default clock_timestamp()
);
create index on generated_text (topic_id);
create index on generated_text (used_at);   -- what nobody used for long

-- Tokens with which a member's own programs read, and write drafts.
create table personal_access_token (
  id            bigint generated always as identity primary key,
  member_id     bigint not null references member on delete cascade,
  name          text not null check (name <> ''),
  hash          bytea not null unique,
  scopes        text[] not null check (scopes <@ '{read,draft}' and scopes <> '{}'),
  created_at    timestamptz not null default clock_timestamp(),
  expires_at    timestamptz not null,
  last_used_at  timestamptz
);
create index on personal_access_token (member_id, id);

-- The cost of each month of the site, in millionths of a cent: read before every answer, however many there were.
create table assistant_month (
  month  date primary key check (extract(day from month) = 1),
  cost   bigint not null check (cost >= 0),
  told   integer not null default 0   -- the share of the budget that staff were told of last, in hundredths
);

-- Each version of a prompt that staff wrote; the last one is used.
create table assistant_prompt (
  name        text not null check (name in ('chat', 'page', 'summary', 'translation', 'improve', 'suggest')),
  language    text not null check (language in ('zh', 'en')),
  version     integer not null check (version > 0),
  text        text check (text <> ''),   -- null: the standard one
  changed_by  text not null,   -- the account
  changed_at  timestamptz not null default clock_timestamp(),
  primary key (name, language, version)
);

-- Posts: tags, topics and questions with their comments and replies, revisions, drafts, uploads, and reading positions.

create table tag (
  id              bigint generated always as identity primary key,
  parent_id       bigint references tag,
  key             text not null unique check (key ~ '^[a-z0-9-]{1,40}$'),
  name_zh         text not null check (char_length(name_zh) between 1 and 16 * 50),
  name_en         text not null check (char_length(name_en) between 1 and 16 * 50),
  is_restricted   boolean not null default false,  -- rights without a tag do not apply here; a right must be given for this tag
  sort            int not null default 0,
  topic_count     int not null default 0 check (topic_count >= 0),
  description_zh  text not null default '' check (char_length(description_zh) <= 16 * 300),
  description_en  text not null default '' check (char_length(description_en) <= 16 * 300),
  version         int not null default 1,  -- counts edits
  picture         text references file  -- a small square, like an avatar
);
create index on tag (parent_id, sort);   -- children of a tag, in order
create unique index on tag (picture) where picture is not null;   -- picture of one tag; also whether a file is still a picture of a tag
alter table role_right add foreign key (tag_id) references tag on delete cascade;

create table topic (
  id               bigint generated always as identity primary key,
  tag_id           bigint not null references tag,
  author_id        bigint not null references member,
  title            text not null check (char_length(title) between 1 and 16 * 90),
  body             jsonb not null,
  segments         jsonb not null,  -- body as HTML, kept by the serialiser
  summary          text not null,
  pictures         jsonb not null default '[]',  -- the first few, for lists
  status           text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by       text check (deleted_by in ('author', 'staff')),
  published_at     timestamptz not null default now(),
  edited_at        timestamptz,
  last_reply_at    timestamptz not null default now(),
  last_reply_by    bigint references member,
  pin              int not null default 0 check (pin >= 0),
  featured_at      timestamptz,
  takes_comments   boolean not null default true,
  floors           int not null default 0 check (floors >= 0),  -- highest floor given
  author_floors    int not null default 0 check (author_floors >= 0),  -- floors of the author
  comment_count    int not null default 0 check (comment_count >= 0),  -- published comments and replies
  view_count       bigint not null default 0 check (view_count >= 0),
  heat             double precision not null default 0,
  version          int not null default 1,  -- counts edits, so that concurrent ones are noticed
  edited_by        bigint references member,  -- null: the author
  deleted_from     text check (deleted_from in ('pending', 'published')),  -- status before the deletion
  deleted_at       timestamptz,
  deleted_reason   text,
  purged_at        timestamptz,  -- text erased for good
  sunk_at          timestamptz,  -- later comments do not raise the topic
  merged_as        bigint,  -- the comment that its opening post is now
  -- Every post repeats the kind of its thread, so that lists of one kind are read from an index.
  kind             thread_kind not null default 'topic',
  is_resolved      boolean not null default false,
  closed_by        bigint references member,  -- the asker; null: staff
  locks            text[] not null default '{}',  -- kinds of locks in the hidden parts, for lists
  -- A question with answers keeps its place when its asker removes it: the text stays in its revisions until it is restored.
  withdrawn_at     timestamptz,
  question_state   text generated always as (
    case when kind = 'topic' then null when withdrawn_at is not null then 'withdrawn'
      when is_resolved then 'resolved' when comment_count > 0 then 'unresolved' else 'unanswered' end) stored
    check (question_state in ('unanswered', 'unresolved', 'resolved', 'withdrawn')),
  like_count       int not null default 0 check (like_count >= 0),
  favourite_count  int not null default 0 check (favourite_count >= 0),
  reply_count      int not null default 0 check (reply_count >= 0),  -- replies among comment_count
  ai_label         text check (ai_label in ('author', 'staff')),  -- AI-generated, as declared by the author or set by staff
  -- Generated, so that no way of writing a topic forgets it.
  language         text generated always as (language_of(title, summary)) stored check (language in ('zh', 'en')),
  check ((status = 'deleted') = (deleted_by is not null)),
  check (purged_at is null or status = 'deleted'),
  check (merged_as is null or status = 'deleted'),
  check (not is_resolved or kind = 'question'),
  check (withdrawn_at is null or kind = 'question')
);
-- The index page by latest reply, newest and hot: over all tags (tag_id is read from the index) and within one.
-- Pinned topics are read apart, above the first page.
create index on topic (last_reply_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, last_reply_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (published_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, published_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (heat desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, heat desc, id desc) where status = 'published' and pin = 0;
create index on topic (pin desc, id desc) include (tag_id) where status = 'published' and pin > 0;
create index on topic (featured_at desc, id desc) include (tag_id) where status = 'published' and featured_at is not null;
-- Lists for staff: all topics, newest first; those of a tag; those of an author; pending and deleted ones.
create index on topic (published_at desc, id desc);
create index on topic (tag_id, published_at desc, id desc);
create index on topic (author_id);
create index on topic (author_id, deleted_at desc) where deleted_by = 'author';   -- what its author deleted and may still restore
create index on topic (published_at desc, id desc) where status <> 'published';
create index on topic (published_at desc, id desc) where ai_label is not null;   -- labelled topics for staff, newest first
create unique index on topic (merged_as) where merged_as is not null;
-- Questions by latest activity: all, and those in one state.
create index on topic (last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
create index on topic (question_state, last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
-- Questions and topics of a member.
create index on topic (author_id, kind, published_at desc, id desc) include (tag_id) where status <> 'deleted';
-- Lists in one language, in each order: over all tags, and within one.
create index on topic (language, last_reply_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (language, published_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (language, heat desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, language, last_reply_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (tag_id, language, published_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (tag_id, language, heat desc, id desc) where status = 'published' and pin = 0;
-- Questions in one language and state, by latest activity. A list of all states reads each state by itself.
create index on topic (language, question_state, last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
-- Posts that mention a member, for renames. Most posts mention nobody, and are not in these indexes.
create index on topic using gin (members_named(body)) where members_named(body) <> '{}';

-- Words of titles, to find related topics among the newest of each word.
create table topic_word (
  word      text not null,
  topic_id  bigint not null references topic,
  primary key (word, topic_id)
);
create index on topic_word (topic_id);   -- an edit replaces the words

create table topic_revision (
  id           bigint generated always as identity primary key,
  topic_id     bigint not null references topic,
  title        text not null,
  body         jsonb not null,
  written_at   timestamptz not null,  -- start of this version, which the next row ended
  written_by   bigint references member,  -- null: the author
  is_withheld  boolean not null default false,  -- only staff see this version: never published, or withheld since
  -- When staff withheld a published version; null where it was never published.
  withheld_at  timestamptz check (withheld_at is null or is_withheld),
  tag_ids      bigint[],  -- further tags of a question in this version
  ai_label     text check (ai_label in ('author', 'staff'))
);
create index on topic_revision (topic_id, id);   -- versions of a topic, in order
create index on topic_revision using gin (members_named(body)) where members_named(body) <> '{}';   -- renames

create table comment (
  id              bigint generated always as identity primary key,
  topic_id        bigint not null references topic,
  author_id       bigint not null references member,
  floor           int check (floor > 0),
  author_floor    int check (author_floor > 0),  -- counts floors of the topic's author only
  quotes          bigint references comment,
  body            jsonb not null,
  segments        jsonb not null,
  text            text not null,  -- plain text, for quotes and lists
  status          text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by      text check (deleted_by in ('author', 'staff')),
  published_at    timestamptz not null default now(),
  edited_at       timestamptz,
  reply_count     int not null default 0 check (reply_count >= 0),
  version         int not null default 1,
  edited_by       bigint references member,
  deleted_from    text check (deleted_from in ('pending', 'published')),
  deleted_at      timestamptz,
  deleted_reason  text,
  purged_at       timestamptz,
  -- A comment that moves to another topic, or becomes one, leaves its row on its floor: erased, with a pointer. Floors stay without gaps.
  moved_to        bigint references comment,  -- the comment that stood on this floor
  became          bigint references topic,  -- the topic that the comment opens now; its replies stay here
  thread_kind     thread_kind not null default 'topic',
  like_count      int not null default 0 check (like_count >= 0),
  ai_label        text check (ai_label in ('author', 'staff')),
  check ((status = 'deleted') = (deleted_by is not null)),
  unique (topic_id, floor),  -- a page is a range of floors
  check (purged_at is null or status = 'deleted'),
  constraint comment_floor_when_published check (floor is not null or status <> 'published'),
  check (moved_to is null or purged_at is not null),
  check (became is null or purged_at is not null),
  -- Rows of a comment refer to its topic as well, and follow it to another.
  unique (id, topic_id)
);
create unique index on comment (topic_id, author_floor) where author_floor is not null;   -- a page of the author's floors
create index on comment (published_at desc, id desc);   -- list for staff, newest first
create index on comment (author_id);   -- comments of an author
create index on comment (author_id, deleted_at desc) where deleted_by = 'author';   -- what its author deleted and may still restore
create index on comment (published_at desc, id desc) where status <> 'published';   -- pending and deleted comments, newest first
create index on comment (published_at desc, id desc) where ai_label is not null;   -- labelled comments for staff, newest first
create unique index on comment (moved_to, topic_id) where moved_to is not null;   -- the former place of a comment that moves back
create unique index on comment (became) where became is not null;   -- the former comment of a topic
create index on comment (quotes) where quotes is not null;   -- quotes of a comment that moves back
create index on comment (topic_id, published_at desc) where status = 'published';   -- the newest; floors are in order of arrival, not of time
create index on comment (author_id, thread_kind, published_at desc, id desc) where status <> 'deleted';   -- answers and comments of a member
-- Whether a member commented in a thread, which opens hidden parts.
create index on comment (topic_id, author_id) where status = 'published';
create index comment_by_likes on comment (topic_id, (case when status = 'published' then like_count else -1 end) desc, floor)
  where floor is not null;
create index on comment using gin (members_named(body)) where members_named(body) <> '{}';   -- renames
alter table topic add foreign key (merged_as) references comment;

create table comment_revision (
  id           bigint generated always as identity primary key,
  comment_id   bigint not null references comment,
  body         jsonb not null,
  written_at   timestamptz not null,
  written_by   bigint references member,
  is_withheld  boolean not null default false,
  withheld_at  timestamptz check (withheld_at is null or is_withheld),
  ai_label     text check (ai_label in ('author', 'staff'))
);
create index on comment_revision (comment_id, id);   -- versions of a comment, in order
create index on comment_revision using gin (members_named(body)) where members_named(body) <> '{}';   -- renames

create table reply (
  id              bigint generated always as identity primary key,
  comment_id      bigint not null,
  topic_id        bigint not null references topic,
  author_id       bigint not null references member,
  answers         bigint references reply,  -- the answered reply, under the same comment
  body            jsonb not null,
  segments        jsonb not null,
  text            text not null,
  status          text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by      text check (deleted_by in ('author', 'staff')),
  published_at    timestamptz not null default now(),
  edited_at       timestamptz,
  version         int not null default 1,
  edited_by       bigint references member,
  deleted_from    text check (deleted_from in ('pending', 'published')),
  deleted_at      timestamptz,
  deleted_reason  text,
  purged_at       timestamptz,
  thread_kind     thread_kind not null default 'topic',
  like_count      int not null default 0 check (like_count >= 0),
  ai_label        text check (ai_label in ('author', 'staff')),
  check ((status = 'deleted') = (deleted_by is not null)),
  check (purged_at is null or status = 'deleted'),
  foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade
);
create index on reply (comment_id, id);   -- under their comment, oldest first
create index on reply (topic_id, published_at desc) where status = 'published';   -- the newest, when one is removed
create index on reply (published_at desc, id desc);   -- list for staff, newest first
create index on reply (author_id);   -- replies of an author
create index on reply (author_id, deleted_at desc) where deleted_by = 'author';   -- what its author deleted and may still restore
create index on reply (published_at desc, id desc) where status <> 'published';   -- pending and deleted replies, newest first
create index on reply (published_at desc, id desc) where ai_label is not null;   -- labelled replies for staff, newest first
create index on reply (author_id, thread_kind, published_at desc, id desc) where status <> 'deleted';   -- replies of a member, by kind of thread
create index on reply (topic_id, author_id) where status = 'published';   -- whether a member replied in a thread
create index on reply using gin (members_named(body)) where members_named(body) <> '{}';   -- renames

create table reply_revision (
  id           bigint generated always as identity primary key,
  reply_id     bigint not null references reply,
  body         jsonb not null,
  written_at   timestamptz not null,
  written_by   bigint references member,
  is_withheld  boolean not null default false,
  withheld_at  timestamptz check (withheld_at is null or is_withheld),
  ai_label     text check (ai_label in ('author', 'staff'))
);
create index on reply_revision (reply_id, id);   -- versions of a reply, in order
create index on reply_revision using gin (members_named(body)) where members_named(body) <> '{}';   -- renames

-- Accepted answers, with their authors.
create table adoption (
  topic_id    bigint primary key references topic,
  comment_id  bigint not null unique references comment,
  author_id   bigint not null references member,
  adopted_at  timestamptz not null default clock_timestamp(),
  -- The staff account that accepted in place of the asker, who cannot change it then.
  staff_id    bigint references staff
);
create index on adoption (author_id);   -- accepted answers of a member

-- Accepted answers of questions that are off the page: accepted again once the question is back, unless another answer was accepted meanwhile.
create table former_adoption (
  topic_id    bigint primary key references topic,
  comment_id  bigint not null unique references comment,
  adopted_at  timestamptz not null,
  staff_id    bigint references staff
);

-- Additions of the asker to a question.
create table postscript (
  topic_id        bigint not null references topic,
  number          int not null check (number > 0),
  body            jsonb not null,
  segments        jsonb not null,
  written_at      timestamptz not null default clock_timestamp(),
  -- An addition that staff removed keeps its number.
  removed_at      timestamptz,
  removed_reason  text,
  primary key (topic_id, number)
);
create index on postscript using gin (members_named(body)) where members_named(body) <> '{}';   -- renames

-- Tags of threads, with the columns that lists are ordered by: the further tags of a topic; all tags of a question, the main tag among them.
create table topic_tag (
  topic_id       bigint not null references topic,
  tag_id         bigint not null references tag on delete cascade,
  place_id       bigint not null references tag,  -- the main tag
  state          text,  -- null: it asks nothing
  last_reply_at  timestamptz not null,
  published_at   timestamptz not null,
  heat           double precision not null,
  is_listed      boolean not null,
  is_further     boolean not null default true,  -- a further tag, which stays when the thread moves, even out of that tag
  language       text,
  primary key (topic_id, tag_id)
);
create index on topic_tag (tag_id, last_reply_at desc, topic_id desc) include (place_id, state) where is_listed;   -- questions under a tag, by latest activity, and what is followed there
create index on topic_tag (tag_id, state, last_reply_at desc, topic_id desc) include (place_id) where is_listed;   -- the same in one state
create index on topic_tag (place_id);   -- threads of a main tag
create index on topic_tag (tag_id, language, state, last_reply_at desc, topic_id desc) include (place_id) where is_listed;   -- the same in one language
-- Threads under a further tag, in each order of a list of topics.
create index on topic_tag (tag_id, last_reply_at desc, topic_id desc) include (place_id, language) where is_listed and tag_id <> place_id;
create index on topic_tag (tag_id, published_at desc, topic_id desc) include (place_id, language) where is_listed and tag_id <> place_id;
create index on topic_tag (tag_id, heat desc, topic_id desc) include (place_id, language) where is_listed and tag_id <> place_id;

-- The topic that greets new members, where the forum has one.
create table welcome (
  topic_id  bigint primary key references topic
);

-- Numbers of published posts by member and tag: profiles count only the tags that their reader may view.
create table written (
  member_id    bigint not null references member,
  tag_id       bigint not null references tag,
  topics       int not null default 0 check (topics >= 0),
  comments     int not null default 0 check (comments >= 0),
  replies      int not null default 0 check (replies >= 0),
  thread_kind  thread_kind not null default 'topic',
  primary key (member_id, tag_id, thread_kind)
) with (fillfactor = 80);

-- Drafts, shared by the devices of a member.
create table draft (
  member_id  bigint not null references member on delete cascade,
  place      text not null,  -- kind of the future post: 'topic', 'comment 42', 'edit reply 7'
  content    jsonb not null,
  version    bigint not null generated by default as identity,  -- never repeats, also after a deletion
  writer     text not null,  -- random name of the browser
  device     text not null,
  saved_at   timestamptz not null default clock_timestamp(),
  primary key (member_id, place)
);
create index on draft (saved_at);   -- the job that deletes old drafts
create index on draft using gin (members_named(content)) where members_named(content) <> '{}';   -- renames

-- Recent words of a member by hash, against posts of the same words.
create table post_fingerprint (
  member_id  bigint not null references member,
  hash       bytea not null,  -- of the words alone, without their formatting
  said_at    timestamptz not null,
  kind       post_kind not null,
  post_id    bigint not null,  -- the post with these words
  primary key (member_id, hash)  -- the same words once
);
create index on post_fingerprint (said_at);   -- the job that deletes old rows

-- Reading positions.
create table topic_read_position (
  member_id  bigint not null references member,
  topic_id   bigint not null references topic,
  floor      int not null check (floor >= 0),  -- highest floor seen; 0: the opening post alone
  read_at    timestamptz not null default now(),
  primary key (member_id, topic_id)  -- one look-up for a list of topics
) with (fillfactor = 80);

-- Times at which members marked all as read: everywhere, or in a tag and the tags below it.
create table read_all_marker (
  member_id  bigint not null references member,
  tag_id     bigint references tag on delete cascade,  -- null: everywhere
  at         timestamptz not null,
  before     timestamptz check (before < at),  -- value before the last change, for its undo; null: none
  unique nulls not distinct (member_id, tag_id)  -- one look-up for a list of topics
);

-- Recent views, as hashes of reader and topic: a reader counts once in half an hour, on any server.
create unlogged table topic_look (
  key  text primary key,
  at   timestamptz not null
) with (fillfactor = 70);
create index on topic_look (at);   -- the job that deletes old rows

-- Uploads that have begun, until they are finished or given up.
create table upload (
  id        text primary key,  -- id of the future file
  owner_id  bigint not null references member,
  kind      text not null check (kind in ('picture', 'attachment')),
  name      text not null,
  bytes     int not null check (bytes > 0),
  begun_at  timestamptz not null default now(),
  taken_at  timestamptz  -- start of the check of the bytes, as a claim of one process
);
create index on upload (begun_at);   -- the job that gives up unfinished uploads
create index on upload (owner_id);   -- unfinished uploads of a member

-- Places that show a file. They decide about the readers of the file.
create table file_use (
  file_id     text not null references file on delete cascade,
  topic_id    bigint references topic on delete cascade,
  comment_id  bigint,  -- null: the opening post
  reply_id    bigint references reply on delete cascade,
  part_id     text,  -- a hidden part, which decides about its files
  message_id  bigint,  -- a message, whose two members see its files
  foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade on delete cascade,
  constraint file_use_somewhere check ((topic_id is null) = (message_id is not null)),
  unique nulls not distinct (file_id, topic_id, comment_id, reply_id, part_id, message_id)
);
create index on file_use (topic_id);   -- deletion of the topic
create index on file_use (comment_id) where comment_id is not null;   -- deletion of the comment
create index on file_use (reply_id) where reply_id is not null;   -- deletion of the reply
create index on file_use (message_id) where message_id is not null;   -- deletion of the message

-- Previews of linked pages, as described by their servers.
create table link_preview (
  key        text primary key,  -- hash of the address, which may exceed an index row
  address    text not null,
  state      text not null default 'wanted' check (state in ('wanted', 'found', 'failed')),
  site       text,
  title      text check ((title is not null) = (state = 'found')),
  wanted_at  timestamptz default clock_timestamp(),  -- first view of a post with the link since the last fetch; null: none
  try_at     timestamptz not null default clock_timestamp()  -- earliest next fetch, after a view
);
create index on link_preview (wanted_at) where wanted_at is not null;   -- the fetch queue
create index on link_preview (try_at);   -- the job that deletes previews without views

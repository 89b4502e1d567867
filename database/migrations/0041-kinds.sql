-- What people write comes in kinds. Which there are is said here alone: a table for what opens a thread, for what stands under that, and for
-- what stands under those; and what a thread may open with.

create domain post_kind as text check (value in ('topic', 'comment', 'reply'));
create domain thread_kind as text check (value in ('topic'));

alter table said drop constraint said_kind_check, alter column kind type post_kind;
alter table review drop constraint review_kind_check, alter column kind type post_kind;
alter table report_case drop constraint report_case_kind_check, alter column kind type post_kind;
alter table removal drop constraint removal_kind_check, alter column kind type post_kind;
alter table member_cleaned drop constraint member_cleaned_kind_check, alter column kind type post_kind;
alter table search_change drop constraint search_change_kind_check, alter column kind type post_kind;
alter table search_entry drop constraint search_entry_kind_check, alter column kind type post_kind;
alter table search_any drop constraint search_any_kind_check, alter column kind type post_kind;

-- What stands in a thread says what opened it, so that lists of one kind are read from an index.
alter table topic add column kind thread_kind not null default 'topic';
alter table comment add column thread_kind thread_kind not null default 'topic';
alter table reply add column thread_kind thread_kind not null default 'topic';

-- Members are told apart what they wrote in threads of each kind.
alter table written add column thread_kind thread_kind not null default 'topic';
alter table written drop constraint written_pkey, add primary key (member_id, tag_id, thread_kind);

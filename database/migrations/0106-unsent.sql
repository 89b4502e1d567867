-- What no provider sent is told apart from what was sent, a test from what members were sent, and the last try that failed is known.

alter table delivery drop constraint delivery_state_check, add constraint delivery_state_check
  check (state in ('waiting', 'sent', 'unsent', 'refused', 'failed', 'dropped'));
update delivery set state = 'unsent' where state = 'sent' and sent_by = 'none';

alter table delivery add column is_test boolean not null default false, add column failed_at timestamptz;
update delivery set is_test = true where starts_with(effect_key, 'test ');

create index on delivery (channel, settled_at desc) where state = 'sent';         -- when one was sent last, on the health page
create index on delivery (channel, failed_at desc) where failed_at is not null;   -- when one failed last

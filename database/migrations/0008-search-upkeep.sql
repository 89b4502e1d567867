-- Entries are made by an engine and by rules; when either is another, all is entered anew.

alter table search_state rename column rules to made_by;
alter table search_state alter column made_by type text using 'postgres ' || made_by;

-- New words are rare, so that sorting each in at once costs little; what waits would be read with every question.
drop index search_word_slips_idx;
create index on search_word using gin (slips) with (fastupdate = off);

-- Codes that somebody else has asked for keep an owner out, who takes the account back by a link as after any other change.

alter table take_back drop constraint take_back_what_check;
alter table take_back add constraint take_back_what_check check (what in ('password', 'phone', 'email', 'hint', 'secondFactor'));

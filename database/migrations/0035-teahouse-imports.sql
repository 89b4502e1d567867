-- Communities that move in from another forum of this program.
alter table import drop constraint import_program_check;
alter table import add constraint import_program_check
  check (program in ('phpbb', 'discuz', 'nodebb', 'flarum', 'discourse', 'diyhi', 'teahouse'));

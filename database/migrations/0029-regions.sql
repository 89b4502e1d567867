-- From where and with what kind of device pages were looked at. The region is a province or a country, which is nobody's address; it goes with its row.

alter table page_view
  add column region text collate "C",                                            -- ISO 3166: US, CN-GD
  add column device text check (device in ('phone', 'tablet', 'computer', 'robot'));
create index on page_view (region, id);   -- what was looked at from a region, newest first
create index on page_view (device, id);   -- and with a kind of device

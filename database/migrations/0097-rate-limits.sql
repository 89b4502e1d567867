-- How often each of those who are limited came, for all servers. What a crash takes of it is missed by nobody.

create unlogged table rate_limit (
  key     varchar(255) primary key,
  points  int not null,
  expire  bigint not null   -- in milliseconds since 1970
) with (fillfactor = 50);

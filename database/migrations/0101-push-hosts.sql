-- Few reminders at a time are sent to one push service, so that one which never answers holds up no other. The address itself stays sealed.

alter table push_subscription add host text not null default '';   -- the site of its push service; empty where it was not kept yet

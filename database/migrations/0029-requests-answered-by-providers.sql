-- A refund by the provider, or a dispute, answers the request of its payment too, without a decision of staff.
alter table payment_refund_request drop constraint decided_by_staff;
alter table payment_refund_request add constraint decided_by_staff check (case state
  when 'declined' then num_nonnulls(decided_by, answer) = 2
  when 'refunded' then answer is null
  else num_nonnulls(decided_by, answer) = 0 end);

-- Keys of sensitive words hold the signs that make a word, and one form for the variants of a character, as `keyOf` gives them to new words.

create temporary table new_key on commit drop as
select id, list_id, translate(key, '潀痺睪簷著颚鲶敍枱粧糭衞衹幺', '潨痹睾檐着腭鲇叙台妆粽卫只么') as key
from sensitive_word;

update new_key set key = case when word like '.%' and word not like '..%' then '.' else '' end
  || regexp_replace(lower(word), '[^a-z0-9+#&%@$]', '', 'g')
from sensitive_word
where sensitive_word.id = new_key.id and word ~ '^[ -~]+$' and (word ~ '[+#&%@$]' or word like '.%');

delete from sensitive_word using new_key, new_key as earlier
where sensitive_word.id = new_key.id and earlier.list_id = new_key.list_id and earlier.key = new_key.key and earlier.id < new_key.id;

update sensitive_word set key = new_key.key from new_key where sensitive_word.id = new_key.id and sensitive_word.key <> new_key.key;

update sensitive_list set word_count = (select count(*) from sensitive_word where list_id = sensitive_list.id);

-- Texts are as long as people count, by characters that they see. PostgreSQL counts code points, of which one character may have up to sixteen.

alter table topic drop constraint topic_title_check, add constraint topic_title_check check (char_length(title) between 1 and 16 * 90);
alter table member drop constraint member_about_check, add constraint member_about_check check (char_length(about) <= 16 * 300);
alter table role
  drop constraint role_name_zh_check, add constraint role_name_zh_check check (char_length(name_zh) between 1 and 16 * 50),
  drop constraint role_name_en_check, add constraint role_name_en_check check (char_length(name_en) between 1 and 16 * 50);
alter table tag
  drop constraint tag_name_zh_check, add constraint tag_name_zh_check check (char_length(name_zh) between 1 and 16 * 50),
  drop constraint tag_name_en_check, add constraint tag_name_en_check check (char_length(name_en) between 1 and 16 * 50),
  drop constraint tag_description_zh_check, add constraint tag_description_zh_check check (char_length(description_zh) <= 16 * 300),
  drop constraint tag_description_en_check, add constraint tag_description_en_check check (char_length(description_en) <= 16 * 300);
alter table sensitive_list
  drop constraint sensitive_list_name_check, add constraint sensitive_list_name_check check (char_length(name) between 1 and 16 * 60);
alter table field
  drop constraint field_name_zh_check, add constraint field_name_zh_check check (char_length(name_zh) between 1 and 16 * 50),
  drop constraint field_name_en_check, add constraint field_name_en_check check (char_length(name_en) between 1 and 16 * 50);
alter table report_category
  drop constraint report_category_name_zh_check, add constraint report_category_name_zh_check check (char_length(name_zh) between 1 and 16 * 60),
  drop constraint report_category_name_en_check, add constraint report_category_name_en_check check (char_length(name_en) between 1 and 16 * 60);
alter table help_category
  drop constraint help_category_name_zh_check, add constraint help_category_name_zh_check check (char_length(name_zh) between 1 and 16 * 60),
  drop constraint help_category_name_en_check, add constraint help_category_name_en_check check (char_length(name_en) between 1 and 16 * 60);
alter table help_page
  drop constraint help_page_title_zh_check, add constraint help_page_title_zh_check check (char_length(title_zh) between 1 and 16 * 120),
  drop constraint help_page_title_en_check, add constraint help_page_title_en_check check (char_length(title_en) between 1 and 16 * 120);
alter table section
  drop constraint section_name_zh_check, add constraint section_name_zh_check check (char_length(name_zh) between 1 and 16 * 40),
  drop constraint section_name_en_check, add constraint section_name_en_check check (char_length(name_en) between 1 and 16 * 40);
alter table delivery_template
  drop constraint delivery_template_subject_check,
  add constraint delivery_template_subject_check check (char_length(subject) between 1 and 16 * 1000),
  drop constraint delivery_template_text_check,
  add constraint delivery_template_text_check check (char_length(text) between 1 and 16 * 4000);

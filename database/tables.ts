// Generated from the migrated database by tools/make-tables.ts. Do not edit.
import type { ColumnType, Generated as KyselyGenerated } from 'kysely'

type Int8 = ColumnType<string, string | number | bigint, string | number | bigint>
type Timestamp = ColumnType<Date, Date | string, Date | string>
type Json = ColumnType<unknown, string, string>
type Nullable<T> = [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S | null, I | null | undefined, U | null> : never
type Generated<T> = [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S, I | undefined, U> : KyselyGenerated<T>
type Computed<T> = ColumnType<T extends ColumnType<infer S, never, never> ? S : T, never, never>

export interface AccessToken {
  hash: Buffer
  session_id: Int8
  expires_at: Timestamp
}

export interface AccountDeletion {
  member_id: Int8
  posts: 'stay' | 'remove'
  asked_at: Generated<Timestamp>
  erase_at: Timestamp
  begun_at: Nullable<Timestamp>
}

export interface Adoption {
  topic_id: Int8
  comment_id: Int8
  author_id: Int8
  adopted_at: Generated<Timestamp>
  staff_id: Nullable<Int8>
}

export interface AnswerTime {
  span: 'hour' | 'day'
  at: Timestamp
  bucket: number
  count: Int8
}

export interface AssistantConversation {
  id: Generated<Int8>
  member_id: Int8
  title: string
  topic_id: Nullable<Int8>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface AssistantModel {
  id: Generated<Int8>
  name: string
  protocol: 'openai' | 'anthropic'
  address: string
  model: string
  api_key: Buffer | null
  has_key: Computed<boolean>
  jobs: string[]
  is_enabled: boolean
  is_stand_in: Generated<boolean>
  sort: Generated<number>
  version: Generated<number>
  context_tokens: number
  input_price: Generated<number>
  cached_price: Generated<number>
  output_price: Generated<number>
  added_at: Generated<Timestamp>
  failed_at: Nullable<Timestamp>
  failure: string | null
  failures: Generated<number>
  rests_until: Nullable<Timestamp>
  refused_parts: Generated<string[]>
}

export interface AssistantMonth {
  month: Timestamp
  cost: Int8
  told: Generated<number>
}

export interface AssistantPrompt {
  name: 'chat' | 'page' | 'summary' | 'translation' | 'improve' | 'suggest'
  language: 'zh' | 'en'
  version: number
  text: string | null
  changed_by: string
  changed_at: Generated<Timestamp>
}

export interface AssistantReport {
  id: Generated<Int8>
  member_id: Int8
  turn_id: Nullable<Int8>
  reason: 'incorrect' | 'harmful' | 'illegal' | 'privacy' | 'other'
  note: string
  reported_at: Generated<Timestamp>
  result: string | null
  handled_by: Nullable<Int8>
  handled_at: Nullable<Timestamp>
}

export interface AssistantReportCopy {
  report_id: Int8
  member_id: Int8
  turns: Json
}

export interface AssistantTurn {
  id: Generated<Int8>
  conversation_id: Int8
  prompt: string
  answer: Generated<string>
  sources: Generated<Json>
  state: Generated<'running' | 'finished' | 'stopped' | 'failed'>
  left_out: Generated<string[]>
  failure: string | null
  failure_values: Generated<Json>
  is_stand_in: Generated<boolean>
  created_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
}

export interface AssistantUsage {
  id: Generated<Int8>
  member_id: Int8
  model_id: Nullable<Int8>
  turn_id: Nullable<Int8>
  job: 'chat' | 'summary' | 'writing' | 'translation' | 'test'
  input_tokens: Generated<number>
  cached_tokens: Generated<number>
  output_tokens: Generated<number>
  cost: Generated<Int8>
  is_estimated: Generated<boolean>
  began_at: Generated<Timestamp>
  beat_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
}

export interface Attempt {
  id: Generated<Int8>
  key: string
  at: Generated<Timestamp>
}

export interface AuditLog {
  id: Int8
  at: Timestamp
  staff_id: Nullable<Int8>
  account: string
  ip: string
  action: string
  about: string | null
  reason: string | null
  before: Nullable<Json>
  after: Nullable<Json>
  hash: Buffer
}

export interface AuditLogHead {
  is_one: Generated<boolean>
  id: Int8
  hash: Buffer
}

export interface BooksCheck {
  id: Generated<Int8>
  began_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
  is_full: boolean
  at_table: string | null
  at_id: Nullable<Int8>
  breaches: Generated<Json>
}

export interface Bounty {
  topic_id: Int8
  state: Generated<'waiting' | 'open' | 'paid' | 'returned'>
  points: Generated<Int8>
  cents: Generated<Int8>
  days: number
  ends_at: Nullable<Timestamp>
  times: Generated<number>
  points_hold: Nullable<Int8>
  cents_hold: Nullable<Int8>
}

export interface BountyShare {
  topic_id: Int8
  comment_id: Int8
  currency: 'cny' | 'points'
  member_id: Int8
  amount: Int8
  transaction_id: Int8
  at: Generated<Timestamp>
}

export interface Challenge {
  kind: 'captcha' | 'code'
  purpose: string
  subject: string
  asker: string
  answer_hash: Buffer
  tries: Generated<number>
  most_tries: number
  expires_at: Timestamp
}

export interface CollusionFlow {
  from_id: Int8
  to_id: Int8
  measure: 'points' | 'cny' | 'likes'
  day: Timestamp
  amount: Int8
  times: number
  transaction_ids: string[]
  first_at: Timestamp
  last_at: Timestamp
}

export interface CollusionHint {
  id: Generated<Int8>
  members: string[]
  patterns: Json
  flows: Json
  shared: Json
  found_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  dismissed_at: Nullable<Timestamp>
  dismissed_by: Nullable<Int8>
  dismiss_reason: string | null
  counted_until: Nullable<Int8>
  returned_at: Nullable<Timestamp>
}

export interface CollusionProgress {
  is_one: Generated<boolean>
  transaction_id: Generated<Int8>
  liked_at: Generated<Timestamp>
}

export interface Comment {
  id: Generated<Int8>
  topic_id: Int8
  author_id: Int8
  floor: number | null
  author_floor: number | null
  quotes: Nullable<Int8>
  body: Json
  segments: Json
  text: string
  status: Generated<'pending' | 'published' | 'deleted'>
  deleted_by: 'author' | 'staff' | null
  published_at: Generated<Timestamp>
  edited_at: Nullable<Timestamp>
  reply_count: Generated<number>
  version: Generated<number>
  edited_by: Nullable<Int8>
  deleted_from: 'pending' | 'published' | null
  deleted_at: Nullable<Timestamp>
  deleted_reason: string | null
  purged_at: Nullable<Timestamp>
  moved_to: Nullable<Int8>
  became: Nullable<Int8>
  thread_kind: Generated<'topic' | 'question'>
  like_count: Generated<number>
  ai_label: 'author' | 'staff' | null
}

export interface CommentRevision {
  id: Generated<Int8>
  comment_id: Int8
  body: Json
  written_at: Timestamp
  written_by: Nullable<Int8>
  is_withheld: Generated<boolean>
  withheld_at: Nullable<Timestamp>
  ai_label: 'author' | 'staff' | null
}

export interface Contact {
  member_id: Int8
  kind: 'phone' | 'email'
  address: Buffer | null
  address_hash: Buffer
  shown_as: string
  slot: Generated<number>
  bound_at: Generated<Timestamp>
}

export interface ContactProof {
  session_id: Int8
  kind: 'phone' | 'email'
  expires_at: Timestamp
}

export interface ConversationParticipant {
  member_id: Int8
  other_id: Int8
  last_id: Int8
  unread: Generated<number>
  read_to: Generated<Int8>
  request: 'mine' | 'theirs' | null
  sent: Generated<number>
  revision: Generated<Int8>
}

export interface DataDownload {
  id: Generated<Int8>
  member_id: Int8
  language: 'zh' | 'en'
  asked_at: Generated<Timestamp>
  begun_at: Nullable<Timestamp>
  tries: Generated<number>
  state: Generated<'waiting' | 'ready' | 'failed'>
  expires_at: Nullable<Timestamp>
}

export interface DataDownloadFile {
  download_id: Int8
  number: number
  file_id: string
}

export interface DayAddress {
  day: Timestamp
  address: string
  views: Generated<Int8>
}

export interface DayClient {
  day: Timestamp
  kind: 'browser' | 'system'
  name: string
  views: Generated<Int8>
}

export interface DayCount {
  day: Timestamp
  measure: 'members' | 'topics' | 'comments' | 'replies' | 'views' | 'visitors' | 'active'
  count: Generated<Int8>
}

export interface DaySearch {
  day: Timestamp
  words: string
  people: Int8
}

export interface DaySearcher {
  day: Timestamp
  words: string
  who: Buffer
}

export interface DecisionTakenBack {
  id: Generated<Int8>
  case_id: Nullable<Int8>
  removal_id: Nullable<Int8>
  outcome: 'failed' | 'succeeded' | 'restored' | 'confirmed'
  said: string
  remark: string
  decided_by: Nullable<Int8>
  decided_at: Timestamp
  taken_back_by: Int8
  taken_back_at: Generated<Timestamp>
  reason: string
}

export interface Delivery {
  id: Generated<Int8>
  effect_key: string
  channel: 'email' | 'sms'
  template: string
  language: 'zh' | 'en'
  shown_as: string
  country: string | null
  content: Buffer | null
  state: Generated<'waiting' | 'sent' | 'unsent' | 'refused' | 'failed' | 'dropped'>
  tries: Generated<number>
  next_at: Generated<Timestamp>
  useless_at: Timestamp
  made_at: Generated<Timestamp>
  settled_at: Nullable<Timestamp>
  sent_by: string | null
  sent_as: string | null
  error: string | null
  to_hash: Buffer
  is_test: Generated<boolean>
  failed_at: Nullable<Timestamp>
}

export interface DeliveryTemplate {
  template: string
  language: 'zh' | 'en'
  subject: string | null
  text: string | null
  version: number
  changed_by: string
  changed_at: Generated<Timestamp>
}

export interface Draft {
  member_id: Int8
  place: string
  content: Json
  version: Generated<Int8>
  writer: string
  device: string
  saved_at: Generated<Timestamp>
}

export interface Favourite {
  topic_id: Int8
  member_id: Int8
  folder_id: Nullable<Int8>
  note: Generated<string>
  at: Generated<Timestamp>
}

export interface FavouriteFolder {
  id: Generated<Int8>
  member_id: Int8
  name: string
  is_public: Generated<boolean>
}

export interface Feedback {
  id: Generated<Int8>
  name: string
  contact: string
  content: string
  member_id: Nullable<Int8>
  ip: string
  sent_at: Generated<Timestamp>
  handled_by: Nullable<Int8>
  handled_at: Nullable<Timestamp>
  remark: Generated<string>
  deleted_at: Nullable<Timestamp>
  version: Generated<number>
}

export interface Field {
  id: Generated<Int8>
  name_zh: string
  name_en: string
  help_zh: Generated<string>
  help_en: Generated<string>
  kind: 'text' | 'radio' | 'checkbox' | 'select' | 'textarea'
  takes: Generated<'anything' | 'digits' | 'letters' | 'lettersAndDigits' | 'chinese' | 'pattern'>
  pattern: string | null
  options: Generated<Json>
  longest: Generated<number>
  is_required: Generated<boolean>
  is_searched: Generated<boolean>
  is_visible: Generated<boolean>
  sort: Generated<number>
  version: Generated<number>
  removed_at: Nullable<Timestamp>
}

export interface File {
  id: string
  owner_id: Nullable<Int8>
  kind: 'picture' | 'avatar' | 'attachment' | 'archive'
  type: string
  width: number | null
  height: number | null
  bytes: number
  sha256: Buffer
  made_at: Generated<Timestamp>
  unused_since: Nullable<Timestamp>
  name: string | null
  moves: Generated<boolean>
  rendered_at: Nullable<Timestamp>
  ground: 'light' | 'dark' | 'mid' | null
  lost: Generated<string[]>
}

export interface FileUse {
  file_id: string
  topic_id: Nullable<Int8>
  comment_id: Nullable<Int8>
  reply_id: Nullable<Int8>
  part_id: string | null
  message_id: Nullable<Int8>
}

export interface Follow {
  of: 'member' | 'tag' | 'topic'
  of_id: Int8
  member_id: Int8
  at: Generated<Timestamp>
  level: Generated<'watching' | 'tracking' | 'normal' | 'muted'>
}

export interface FollowProgress {
  member_id: Int8
  at: Timestamp
}

export interface FormerAdoption {
  topic_id: Int8
  comment_id: Int8
  adopted_at: Timestamp
  staff_id: Nullable<Int8>
}

export interface FormerName {
  id: Generated<Int8>
  member_id: Int8
  name: string
  key: string
  is_shown: Generated<boolean>
  given_up_at: Generated<Timestamp>
}

export interface FriendLink {
  id: Generated<Int8>
  name: string
  url: string
  sort: Generated<number>
  added_at: Generated<Timestamp>
  version: Generated<number>
}

export interface GeneratedText {
  hash: Buffer
  topic_id: Int8
  text: string
  is_stand_in: boolean
  made_at: Generated<Timestamp>
  used_at: Generated<Timestamp>
}

export interface GuardWording {
  guard: string
}

export interface HelpCategory {
  id: Generated<Int8>
  parent_id: Nullable<Int8>
  name_zh: string
  name_en: string
  sort: Generated<number>
  version: Generated<number>
}

export interface HelpPage {
  id: Generated<Int8>
  category_id: Int8
  title_zh: string
  title_en: string
  body_zh: string
  body_en: string
  sort: Generated<number>
  is_visible: Generated<boolean>
  version: Generated<number>
  changed_by: Nullable<Int8>
  changed_at: Generated<Timestamp>
}

export interface HiddenEarlier {
  part_id: string
  version: number
  lock: string
  needs: Nullable<Int8>
  document: Json
  segments: Json
  file_ids: string[]
  written_at: Timestamp
  replaced_at: Generated<Timestamp>
}

export interface HiddenLocked {
  part_id: string | null
  lock: string | null
  since: Nullable<Timestamp>
  until: Nullable<Timestamp>
}

export interface HiddenOpenedBefore {
  part_id: string
  member_id: Int8
}

export interface HiddenOutline {
  id: string | null
  topic_id: Nullable<Int8>
  comment_id: Nullable<Int8>
  thread_id: Nullable<Int8>
  author_id: Nullable<Int8>
  lock: string | null
  needs: Nullable<Int8>
  is_there: boolean | null
  is_shown: boolean | null
}

export interface HiddenPart {
  id: string
  topic_id: Nullable<Int8>
  comment_id: Nullable<Int8>
  position: number | null
  lock: 'password' | 'comment' | 'level' | 'points' | 'balance'
  needs: Nullable<Int8>
  password_hash: string | null
  document: Json
  segments: Json
  file_ids: string[]
  version: Generated<number>
  written_at: Generated<Timestamp>
}

export interface HiddenPlaced {
  id: string | null
  topic_id: Nullable<Int8>
  comment_id: Nullable<Int8>
  position: number | null
  lock: string | null
  needs: Nullable<Int8>
  password_hash: string | null
  document: Nullable<Json>
  segments: Nullable<Json>
  file_ids: string[] | null
  version: number | null
  written_at: Nullable<Timestamp>
  thread_id: Nullable<Int8>
  author_id: Nullable<Int8>
  is_shown: boolean | null
}

export interface HiddenTry {
  topic_id: Int8
  member_id: Int8
  at: Generated<Timestamp>
}

export interface HiddenUnlock {
  id: Generated<Int8>
  part_id: string
  member_id: Int8
  at: Generated<Timestamp>
  lock: 'password' | 'points' | 'balance'
  paid: Generated<Int8>
  earned: Generated<Int8>
  transaction_id: Nullable<Int8>
}

export interface HiddenWaiting {
  topic_id: Int8
  id: string
  position: number
  lock: string
  needs: Nullable<Int8>
  password_hash: string | null
  document: Nullable<Json>
  segments: Nullable<Json>
  file_ids: string[] | null
}

export interface IdempotencyKey {
  asker: string
  key: string
  route: string
  body_hash: Buffer
  answer: string | null
  made_at: Generated<Timestamp>
  state: Generated<'begun' | 'done' | 'refused'>
  claim: string | null
  leased_until: Nullable<Timestamp>
  refusal: Nullable<Json>
}

export interface IdentityProvider {
  id: Generated<Int8>
  protocol: 'oidc' | 'github' | 'wechat' | 'qq'
  name_zh: string
  name_en: string
  address: string | null
  client_id: string
  client_secret: Buffer
  in_app_client_id: string | null
  in_app_client_secret: Buffer | null
  is_enabled: boolean
  sort: Generated<number>
  version: Generated<number>
  added_at: Generated<Timestamp>
  failed_at: Nullable<Timestamp>
  failure: string | null
}

export interface IdentityRequest {
  state_hash: Buffer
  provider_id: Int8
  asker: string
  member_id: Nullable<Int8>
  is_in_app: boolean
  nonce: string
  verifier: string
  jump_url: string | null
  expires_at: Timestamp
}

export interface IdentityTicket {
  hash: Buffer
  provider_id: Int8
  subject: string
  name: string | null
  asker: string
  expires_at: Timestamp
}

export interface Import {
  id: Generated<Int8>
  program: 'phpbb' | 'discuz' | 'nodebb' | 'flarum' | 'discourse' | 'diyhi' | 'teahouse'
  title: string
  origins: string[]
  address_rules: Json
  mapping: Json
  guest_id: Nullable<Int8>
  began_at: Generated<Timestamp>
  finished_at: Nullable<Timestamp>
  undone_at: Nullable<Timestamp>
}

export interface ImportCheck {
  program: string
  result: Json
  checked_at: Generated<Timestamp>
}

export interface ImportCredit {
  import_id: Int8
  member_id: Int8
  currency: 'cny' | 'points'
  amount: Int8
  transaction_id: Nullable<Int8>
  undone_by: Nullable<Int8>
}

export interface ImportNote {
  import_id: Int8
  note: string
  count: Int8
  samples: string[]
}

export interface ImportRow {
  import_id: Int8
  kind: string
  old_id: string
  new_id: string
  topic_id: Nullable<Int8>
  number: number | null
}

export interface ImportStage {
  import_id: Int8
  kind: string
  since: string | null
  upto: string
  cursor: string | null
  done: Generated<Int8>
  finished_at: Nullable<Timestamp>
}

export interface ImportUndoneRow {
  kind: string
  id: string
}

export interface IndexNowState {
  until: Timestamp
  engine: 'indexNow' | 'baidu'
}

export interface Invalidation {
  xid: Generated<string>
  by: string
  tags: string[]
  at: Generated<Timestamp>
}

export interface Invitation {
  id: Generated<Int8>
  hash: Buffer
  code: Buffer | null
  member_id: Nullable<Int8>
  staff_id: Nullable<Int8>
  uses: number
  used: Generated<number>
  until: Nullable<Timestamp>
  note: Generated<string>
  made_at: Generated<Timestamp>
  revoked_at: Nullable<Timestamp>
}

export interface InvitationUse {
  member_id: Int8
  invitation_id: Int8
  used_at: Generated<Timestamp>
}

export interface KnownBrowser {
  member_id: Int8
  hash: Buffer
  at: Generated<Timestamp>
}

export interface KnownRight {
  name: string
}

export interface LedgerAccount {
  id: Generated<Int8>
  name: 'member' | 'escrow' | 'platform' | 'promotion' | 'clearing' | 'adjustment' | 'fee' | 'payout' | 'membership' | 'unclaimed'
  owner_id: Nullable<Int8>
  label: Generated<string>
  currency: 'cny' | 'points'
  balance: Nullable<Int8>
  earned: Generated<Int8>
  given: Generated<Int8>
  share_rest: Generated<number>
  is_closed: Generated<boolean>
}

export interface LedgerEntry {
  transaction_id: Int8
  account_id: Int8
  kind: string
  currency: 'cny' | 'points'
  amount: Int8
  balance_after: Nullable<Int8>
  earned: Int8
  given: Int8
}

export interface LedgerFreezing {
  id: Generated<Int8>
  at: Generated<Timestamp>
  staff_id: Nullable<Int8>
  reason: string
  thawed_at: Nullable<Timestamp>
  thawed_by: Nullable<Int8>
  thaw_reason: string | null
}

export interface LedgerHold {
  id: Generated<Int8>
  kind: string
  source: string
  owner_id: Int8
  currency: 'cny' | 'points'
  amount: Int8
  state: Generated<'open' | 'paid' | 'returned'>
  opened_by: Int8
  resolved_by: Nullable<Int8>
}

export interface LedgerKind {
  name: string
  legs: string[]
  may_owe: Generated<boolean>
  document: string | null
}

export interface LedgerMonthSum {
  account_id: Int8
  month: Timestamp
  incoming: Int8
  outgoing: Int8
  entries: Int8
  balance: Nullable<Int8>
  earned: Int8
  given: Int8
  from_site: Int8
}

export interface LedgerSeal {
  id: Int8
  hash: Buffer
}

export interface LedgerSide {
  transaction_id: Nullable<Int8>
  account_id: Nullable<Int8>
  kind: string | null
  currency: 'cny' | 'points' | null
  amount: Nullable<Int8>
  balance_after: Nullable<Int8>
  earned: Nullable<Int8>
  given: Nullable<Int8>
  name: 'member' | 'escrow' | 'platform' | 'promotion' | 'clearing' | 'adjustment' | 'fee' | 'payout' | 'membership' | 'unclaimed' | null
  owner_id: Nullable<Int8>
}

export interface LedgerSummed {
  is_one: Generated<boolean>
  upto: Generated<Int8>
  zone: string
}

export interface LedgerTransaction {
  id: Generated<Int8>
  kind: string
  source: string
  reverses: Nullable<Int8>
  actor_kind: 'member' | 'staff' | 'forum'
  actor_id: Nullable<Int8>
  request: string | null
  reason: string | null
  group_name: string | null
  provider_number: string | null
  at: Timestamp
  digest: Buffer
}

export interface Level {
  id: Generated<Int8>
  name_zh: string
  name_en: string
  needs_points: Int8
}

export interface LinkPreview {
  key: string
  address: string
  state: Generated<'wanted' | 'found' | 'failed'>
  site: string | null
  title: string | null
  wanted_at: Nullable<Timestamp>
  try_at: Generated<Timestamp>
}

export interface LoginLog {
  id: Generated<Int8>
  member_id: Int8
  kind: 'login' | 'renewal' | 'reused'
  ip: string
  at: Generated<Timestamp>
  user_agent: string
}

export interface LoginTicket {
  hash: Buffer
  member_id: Int8
  asker: string
  tries: Generated<number>
  expires_at: Timestamp
}

export interface MaintenanceTask {
  id: Generated<Int8>
  kind: 'backup' | 'rehearsal' | 'search'
  about: string | null
  asked_by: string | null
  asked_at: Generated<Timestamp>
  begun_at: Nullable<Timestamp>
  ended_at: Nullable<Timestamp>
  state: Generated<'waiting' | 'running' | 'done' | 'failed'>
  tries: Generated<number>
  step: string | null
  done: Generated<Int8>
  total: Generated<Int8>
  problem: string | null
  detail: string | null
  found: Nullable<Json>
}

export interface Member {
  id: Generated<Int8>
  account: string
  account_key: string
  nickname: string | null
  nickname_key: string | null
  password_hash: string | null
  hint_question: string | null
  hint_answer_hash: string | null
  avatar: string | null
  language: Generated<'zh' | 'en'>
  is_official: Generated<boolean>
  shows_activity: Generated<boolean>
  agreed_to_terms_at: Generated<Timestamp>
  joined_at: Generated<Timestamp>
  deactivated_at: Nullable<Timestamp>
  topic_count: Generated<number>
  comment_count: Generated<number>
  reply_count: Generated<number>
  last_topic_at: Nullable<Timestamp>
  last_remark_at: Nullable<Timestamp>
  last_seen_at: Generated<Timestamp>
  joined_ip: string | null
  deactivated_as: 'disabled' | 'cancelled' | 'left' | 'erased' | null
  deactivated_because: string | null
  freed_account: string | null
  freed_nickname: string | null
  merged_into: Nullable<Int8>
  version: Generated<number>
  points_earned: Generated<Int8>
  about: Generated<string>
  shows_last_seen: Generated<boolean>
  has_password: Computed<boolean>
}

export interface MemberBan {
  id: Generated<Int8>
  member_id: Int8
  function: string
  reason: string
  given_at: Generated<Timestamp>
  given_by: Int8
  ends_at: Nullable<Timestamp>
  lifted_at: Nullable<Timestamp>
  lifted_by: Nullable<Int8>
}

export interface MemberBlock {
  member_id: Int8
  other_id: Int8
  how: 'muted' | 'blocked'
  at: Generated<Timestamp>
}

export interface MemberCleanup {
  id: Generated<Int8>
  member_id: Int8
  staff_id: Int8
  reason: string
  began_at: Generated<Timestamp>
  status: Generated<'removing' | 'removed' | 'restoring' | 'restored'>
  disabled: boolean
  ban_ids: Generated<string[]>
  removed: Generated<number>
  restored: Generated<number>
}

export interface MemberCleanupItem {
  cleaning_id: Int8
  kind: 'topic' | 'comment' | 'reply'
  post_id: Int8
  topic_id: Int8
  was: 'pending' | 'published'
  settled_at: Nullable<Timestamp>
  case_id: Nullable<Int8>
}

export interface MemberField {
  member_id: Int8
  field_id: Int8
  answer: string[]
}

export interface MemberIdentity {
  id: Generated<Int8>
  provider_id: Int8
  subject: string
  member_id: Int8
  name: string | null
  linked_at: Generated<Timestamp>
  used_at: Generated<Timestamp>
}

export interface MemberMerge {
  id: Generated<Int8>
  from_id: Int8
  into_id: Int8
  staff_id: Int8
  began_at: Generated<Timestamp>
  status: Generated<'merging' | 'merged'>
  moved: Generated<number>
}

export interface MemberNote {
  id: Generated<Int8>
  member_id: Int8
  staff_id: Int8
  text: string
  at: Generated<Timestamp>
}

export interface MembershipCard {
  id: Generated<Int8>
  role_id: Nullable<Int8>
  name_zh: string
  name_en: string
  subtitle_zh: Generated<string>
  subtitle_en: Generated<string>
  bullets_zh: Generated<string[]>
  bullets_en: Generated<string[]>
  body_zh: Generated<string>
  body_en: Generated<string>
  picture: string | null
  is_on_sale: Generated<boolean>
  sort: Generated<number>
  version: Generated<number>
  removed_at: Nullable<Timestamp>
}

export interface MembershipCoupon {
  id: Generated<Int8>
  name: string
  percent: number | null
  cents: Nullable<Int8>
  points: Nullable<Int8>
  min_cents: Generated<Int8>
  uses_per_member: number | null
  starts_at: Generated<Timestamp>
  ends_at: Nullable<Timestamp>
  is_enabled: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
}

export interface MembershipCouponCard {
  coupon_id: Int8
  card_id: Int8
}

export interface MembershipCouponCode {
  id: Generated<Int8>
  coupon_id: Int8
  code: string
  max_uses: number | null
  uses: Generated<number>
}

export interface MembershipGift {
  task_id: Int8
  member_id: Int8
  during: string | null
  at: Generated<Timestamp>
}

export interface MembershipGiftTask {
  id: Generated<Int8>
  name: string
  role_id: Nullable<Int8>
  kind: 'continuous' | 'once'
  registered_from: Nullable<Timestamp>
  registered_before: Nullable<Timestamp>
  min_points: Nullable<Int8>
  starts_at: Generated<Timestamp>
  ends_at: Nullable<Timestamp>
  duration: number
  unit: 'hour' | 'day' | 'month' | 'year'
  is_enabled: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
  finished_at: Nullable<Timestamp>
  looked_at: Nullable<Timestamp>
  looked_to: Generated<Int8>
}

export interface MembershipOrder {
  id: Generated<Int8>
  number: string
  buyer_id: Int8
  member_id: Int8
  note: string | null
  card_id: Int8
  specification_id: Int8
  role_id: Nullable<Int8>
  names: Json
  quantity: number
  duration: number
  unit: string
  price_cents: Int8
  price_points: Int8
  cents: Int8
  points: Int8
  coupon_code_id: Nullable<Int8>
  during: string
  anchor_day: number
  zone: string
  transaction_id: Nullable<Int8>
  at: Generated<Timestamp>
}

export interface MembershipRefund {
  order_id: Int8
  cents: Int8
  points: Int8
  transaction_id: Nullable<Int8>
  upgrade_id: Nullable<Int8>
  at: Generated<Timestamp>
}

export interface MembershipRunning {
  id: Nullable<Int8>
  number: string | null
  buyer_id: Nullable<Int8>
  member_id: Nullable<Int8>
  note: string | null
  card_id: Nullable<Int8>
  specification_id: Nullable<Int8>
  role_id: Nullable<Int8>
  names: Nullable<Json>
  quantity: number | null
  duration: number | null
  unit: string | null
  price_cents: Nullable<Int8>
  price_points: Nullable<Int8>
  cents: Nullable<Int8>
  points: Nullable<Int8>
  coupon_code_id: Nullable<Int8>
  during: string | null
  anchor_day: number | null
  zone: string | null
  transaction_id: Nullable<Int8>
  at: Nullable<Timestamp>
}

export interface MembershipSpecification {
  id: Generated<Int8>
  card_id: Int8
  name_zh: string
  name_en: string
  cents: Generated<Int8>
  points: Generated<Int8>
  list_cents: Nullable<Int8>
  stock: Nullable<Int8>
  sold: Generated<Int8>
  duration: number
  unit: 'hour' | 'day' | 'month' | 'year'
  is_enabled: Generated<boolean>
  sort: Generated<number>
  version: Generated<number>
  removed_at: Nullable<Timestamp>
}

export interface MembershipUpgrade {
  card_id: Int8
  from_card_id: Int8
}

export interface Message {
  id: Generated<Int8>
  low_id: Int8
  high_id: Int8
  author_id: Int8
  key: string
  body: Json
  segments: Json
  text: string
  gone_low: Generated<boolean>
  gone_high: Generated<boolean>
  cleaned_by: Nullable<Int8>
  sent_at: Generated<Timestamp>
}

export interface MessageReport {
  id: Generated<Int8>
  message_id: Int8
  message_ids: string[]
  author_id: Int8
  reporter_id: Int8
  reason: string
  reported_at: Generated<Timestamp>
  outcome: 'upheld' | 'dismissed' | null
  result: string | null
  decided_by: Nullable<Int8>
  decided_at: Nullable<Timestamp>
}

export interface MessageReportCopy {
  report_id: Int8
  reporter_id: Int8
  messages: Json
}

export interface MessageSetting {
  member_id: Int8
  senders: 'everybody' | 'followed' | 'nobody'
}

export interface MoneyRequest {
  id: Generated<Int8>
  kind:
    | 'adjustment'
    | 'reversal'
    | 'refund'
    | 'topicRefund'
    | 'bountyChange'
    | 'adoption'
    | 'orderRefund'
    | 'topUpRefund'
    | 'paymentCredit'
    | 'paymentBooking'
  member_id: Nullable<Int8>
  topic_id: Nullable<Int8>
  reverses: Nullable<Int8>
  points: Int8
  cents: Int8
  input: Json
  detail: Generated<Json>
  reason: string
  asked_by: Int8
  asked_at: Generated<Timestamp>
  state: Generated<'waiting' | 'done' | 'declined'>
  decided_by: Nullable<Int8>
  decided_at: Nullable<Timestamp>
  answer: string | null
  transaction_id: Nullable<Int8>
}

export interface Notice {
  id: Generated<Int8>
  member_id: Nullable<Int8>
  kind: string
  facts: Generated<Json>
  topic_id: Nullable<Int8>
  text_zh: Generated<string>
  text_en: Generated<string>
  sends_at: Nullable<Timestamp>
  written_by: Nullable<Int8>
  version: Generated<number>
  removed_at: Nullable<Timestamp>
  read_at: Nullable<Timestamp>
  deleted_at: Nullable<Timestamp>
}

export interface NoticeCopy {
  member_id: Int8
  notice_id: Int8
  read_at: Generated<Timestamp>
  deleted_at: Nullable<Timestamp>
}

export interface Notification {
  id: Generated<Int8>
  member_id: Int8
  kind: string
  group_key: string
  topic_id: Nullable<Int8>
  count: Generated<number>
  at: Timestamp
  read_at: Nullable<Timestamp>
  deleted_at: Nullable<Timestamp>
}

export interface NotificationChannel {
  member_id: Int8
  channel: 'email' | 'push'
  rhythm: Generated<'atOnce' | 'day' | 'week'>
  hour: Generated<number>
  rests_until: Generated<Timestamp>
  next_at: Nullable<Timestamp>
  quiet_from: number | null
  quiet_to: number | null
}

export interface NotificationEvent {
  id: Generated<Int8>
  notification_id: Int8
  member_id: Int8
  cause: string
  actor_id: Nullable<Int8>
  post_kind: 'topic' | 'comment' | 'reply' | null
  post_id: Nullable<Int8>
  at: Timestamp
  is_gone: Generated<boolean>
}

export interface NotificationMute {
  member_id: Int8
  kind: string
}

export interface NotificationPreference {
  member_id: Int8
  kind: string
  channel: 'email' | 'push'
}

export interface NotificationQueue {
  id: Generated<Int8>
  member_id: Int8
  channel: 'email' | 'push'
  event_id: Nullable<Int8>
  sender_id: Nullable<Int8>
  since: Generated<Timestamp>
}

export interface PageView {
  id: Generated<Int8>
  url: string
  referrer: string | null
  ip: string | null
  user_agent: string
  at: Generated<Timestamp>
  region: string | null
  device: 'phone' | 'tablet' | 'computer' | 'robot' | null
}

export interface Passkey {
  id: Generated<Int8>
  member_id: Int8
  credential_id: string
  public_key: Buffer
  counter: Int8
  transports: string[]
  name: string
  made_at: Generated<Timestamp>
  used_at: Nullable<Timestamp>
}

export interface PasskeyChallenge {
  hash: Buffer
  asker: string
  purpose: 'add' | 'login' | 'prove' | 'step2'
  member_id: Nullable<Int8>
  expires_at: Timestamp
}

export interface PaymentDifference {
  id: Generated<Int8>
  statement_id: Int8
  kind:
    | 'notHere'
    | 'notThere'
    | 'otherAmount'
    | 'refundNotHere'
    | 'refundNotThere'
    | 'refundOtherAmount'
    | 'refundFailedThere'
    | 'disputeNotHere'
    | 'disputeNotThere'
    | 'disputeOtherAmount'
    | 'reversalNotHere'
    | 'unknownLine'
  number: string
  cents_here: Nullable<Int8>
  cents_there: Nullable<Int8>
  state: Generated<'open' | 'settled' | 'cleared'>
  found_at: Generated<Timestamp>
  settled_at: Nullable<Timestamp>
  settled_by: Nullable<Int8>
  answer: string | null
}

export interface PaymentDispute {
  id: Generated<Int8>
  provider: string
  provider_number: string
  order_id: Int8
  cents: Int8
  reason: string
  state: 'open' | 'won' | 'lost'
  opened_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
  transaction_id: Nullable<Int8>
  undone_by: Nullable<Int8>
  respond_by: Nullable<Timestamp>
  link: string | null
}

export interface PaymentEvent {
  id: Generated<Int8>
  provider: string
  event_id: string
  headers: Json
  body: Buffer
  received_at: Generated<Timestamp>
  state: Generated<'new' | 'done' | 'suspended' | 'credited' | 'returned' | 'booked' | 'dismissed'>
  kind: 'paid' | 'closed' | 'refund' | 'dispute' | 'other'
  facts: Json
  problem: string | null
  handled_at: Nullable<Timestamp>
  handled_by: Nullable<Int8>
  answer: string | null
  credited_to: Nullable<Int8>
  transaction_id: Nullable<Int8>
}

export interface PaymentOrder {
  id: Generated<Int8>
  number: string
  member_id: Int8
  provider: string
  method: string
  cents: Int8
  state: Generated<'open' | 'paid' | 'closed'>
  return_to: string | null
  started: Nullable<Json>
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  paid_at: Nullable<Timestamp>
  taken_at: Nullable<Timestamp>
  closed_at: Nullable<Timestamp>
  provider_number: string | null
  event_id: Nullable<Int8>
  transaction_id: Nullable<Int8>
  query_at: Nullable<Timestamp>
  queries: Generated<number>
  request_key: string | null
}

export interface PaymentProvider {
  name: string
  tried_at: Nullable<Timestamp>
  problem: 'notSet' | 'wrongKey' | 'refused' | 'noAnswer' | null
  detail: string | null
  endings: Generated<Json>
  failures: Generated<number>
}

export interface PaymentRefund {
  id: Generated<Int8>
  number: string
  order_id: Nullable<Int8>
  event_id: Nullable<Int8>
  provider: string
  cents: Int8
  reason: string
  state: Generated<'asked' | 'done' | 'failed'>
  asked_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
  returned_at: Nullable<Timestamp>
  provider_number: string | null
  problem: string | null
  transaction_id: Nullable<Int8>
  undone_by: Nullable<Int8>
  try_at: Nullable<Timestamp>
  tries: Generated<number>
  reported_by: Nullable<Int8>
}

export interface PaymentRefundRequest {
  id: Generated<Int8>
  order_id: Int8
  reason: string
  state: Generated<'waiting' | 'refunded' | 'declined' | 'withdrawn'>
  asked_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
  decided_by: Nullable<Int8>
  answer: string | null
}

export interface PaymentSandbox {
  number: string
  cents: Int8
  outcome: Generated<'waiting' | 'paid' | 'failed' | 'closed'>
  paid_at: Nullable<Timestamp>
}

export interface PaymentSandboxRefund {
  number: string
  paid_number: string
  cents: Int8
  at: Generated<Timestamp>
}

export interface PaymentStatement {
  id: Generated<Int8>
  provider: string
  day: Timestamp
  fetched_at: Generated<Timestamp>
  paid_count: number
  paid_cents: Int8
  refunded_count: number
  refunded_cents: Int8
  fee_cents: Int8
  transaction_id: Nullable<Int8>
}

export interface PaymentStatementFailure {
  provider: string
  day: Timestamp
  problem: 'unreadable' | 'noAnswer' | 'notReady'
  detail: string
  tries: Generated<number>
  first_at: Generated<Timestamp>
  last_at: Generated<Timestamp>
}

export interface PaymentStatementLine {
  statement_id: Int8
  place: number
  kind: 'payment' | 'refund' | 'refundFailure' | 'dispute' | 'disputeReversal' | 'fee' | 'other'
  number: string | null
  provider_number: string
  cents: Int8
  fee_cents: Int8
  at: Timestamp
  payment_number: string | null
}

export interface PersonalAccessToken {
  id: Generated<Int8>
  member_id: Int8
  name: string
  hash: Buffer
  scopes: string[]
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  last_used_at: Nullable<Timestamp>
}

export interface Poll {
  topic_id: Int8
  title: Generated<string>
  max_choices: number
  is_public: boolean
  shows_results: 'always' | 'voted' | 'ended'
  results_key: Generated<string>
  ends_at: Nullable<Timestamp>
  ended_at: Nullable<Timestamp>
  end_reason: 'due' | 'author' | 'staff' | null
  created_at: Generated<Timestamp>
  version: Generated<number>
  notified_to: Generated<Int8>
  notified_at: Nullable<Timestamp>
}

export interface PollBallot {
  topic_id: Int8
  member_id: Int8
  option_ids: string[]
  voted_at: Generated<Timestamp>
}

export interface PollOption {
  id: Generated<Int8>
  topic_id: Int8
  place: number
  label: string
}

export interface PostFingerprint {
  member_id: Int8
  hash: Buffer
  said_at: Timestamp
  kind: 'topic' | 'comment' | 'reply'
  post_id: Int8
}

export interface PostLike {
  post_kind: 'topic' | 'comment' | 'reply'
  post_id: Int8
  member_id: Int8
  at: Generated<Timestamp>
}

export interface Postscript {
  topic_id: Int8
  number: number
  body: Json
  segments: Json
  written_at: Generated<Timestamp>
  removed_at: Nullable<Timestamp>
  removed_reason: string | null
}

export interface Preference {
  member_id: Int8
  language: 'zh' | 'en' | null
  theme: 'system' | 'light' | 'dark' | null
  text_size: 'normal' | 'large' | 'larger' | null
  time_zone: string | null
}

export interface PushSubscription {
  id: Generated<Int8>
  member_id: Int8
  session_id: Int8
  endpoint_hash: Buffer
  sealed: Buffer
  user_agent: string
  made_at: Generated<Timestamp>
  used_at: Nullable<Timestamp>
  failed_since: Nullable<Timestamp>
  host: string
}

export interface RateLimit {
  key: string
  points: number
  expire: Int8
}

export interface ReadAllMarker {
  member_id: Int8
  tag_id: Nullable<Int8>
  at: Timestamp
  before: Nullable<Timestamp>
}

export interface RealName {
  member_id: Int8
  document: 'chineseId' | 'other'
  name: Buffer | null
  number: Buffer | null
  birthday: Buffer
  person_hash: Buffer | null
  slot: number | null
  checked_by: string
  checked_at: Generated<Timestamp>
  withdrawn_at: Nullable<Timestamp>
}

export interface RecoveryCode {
  member_id: Int8
  hash: Buffer
  made_at: Generated<Timestamp>
  used_at: Nullable<Timestamp>
}

export interface RecoveryTicket {
  hash: Buffer
  member_id: Int8
  asker: string
  expires_at: Timestamp
}

export interface RedEnvelope {
  id: Generated<Int8>
  giver_id: Int8
  kind: 'targeted' | 'random' | 'fixed'
  receiver_id: Nullable<Int8>
  topic_id: Nullable<Int8>
  comment_id: Nullable<Int8>
  message_id: Nullable<Int8>
  currency: 'cny' | 'points'
  amount: Int8
  quantity: number
  greeting: Generated<string>
  cover: string
  conditions: Generated<Json>
  state: Generated<'waiting' | 'open' | 'taken' | 'returned' | 'dropped'>
  hold_id: Nullable<Int8>
  created_at: Generated<Timestamp>
  opened_at: Nullable<Timestamp>
  ends_at: Nullable<Timestamp>
  ended_at: Nullable<Timestamp>
  end_reason: 'taken' | 'expired' | 'postGone' | 'giverGone' | 'stopped' | 'tooLittle' | null
  paid: Generated<number>
  paid_amount: Generated<Int8>
  returned: Generated<Int8>
  best_place: number | null
  told_of_end_at: Nullable<Timestamp>
  payments: Generated<number>
  first_free: Generated<number>
  seal: Buffer | null
}

export interface RedEnvelopeShare {
  envelope_id: Int8
  place: number
  amount: Int8
  member_id: Nullable<Int8>
  claimed_at: Nullable<Timestamp>
  is_returned: Generated<boolean>
  transaction_id: Nullable<Int8>
  seal: Buffer | null
}

export interface RefreshToken {
  hash: Buffer
  session_id: Int8
  expires_at: Timestamp
  used_at: Nullable<Timestamp>
}

export interface RefundDue {
  part_id: string
  is_erased: boolean
  since: Generated<Timestamp>
}

export interface RegisterTicket {
  hash: Buffer
  kind: 'phone' | 'email'
  address: Buffer
  asker: string
  expires_at: Timestamp
}

export interface RegistrationRequest {
  member_id: Int8
  asked_at: Generated<Timestamp>
  outcome: 'approved' | 'refused' | null
  reason: Generated<string>
  decided_at: Nullable<Timestamp>
  decided_by: Nullable<Int8>
}

export interface Removal {
  id: Generated<Int8>
  case_id: Nullable<Int8>
  author_id: Int8
  why: string
  removed_by: Nullable<Int8>
  removed_at: Generated<Timestamp>
  appeal: string | null
  appealed_at: Nullable<Timestamp>
  claimed_by: Nullable<Int8>
  claimed_at: Nullable<Timestamp>
  version: Generated<number>
  appeal_outcome: 'restored' | 'confirmed' | null
  answer: Generated<string>
  appeal_remark: Generated<string>
  answered_by: Nullable<Int8>
  answered_at: Nullable<Timestamp>
  kind: 'topic' | 'comment' | 'reply'
  thing_id: Int8
  topic_id: Int8
  comment_id: Nullable<Int8>
  reply_id: Nullable<Int8>
  title: string
  excerpt: string
  removed_by_member: Nullable<Int8>
  taken_back_at: Nullable<Timestamp>
  put_back_at: Nullable<Timestamp>
}

export interface Rename {
  member_id: Int8
  version: Generated<number>
  renamed_at: Generated<Timestamp>
  followed_at: Nullable<Timestamp>
}

export interface Reply {
  id: Generated<Int8>
  comment_id: Int8
  topic_id: Int8
  author_id: Int8
  answers: Nullable<Int8>
  body: Json
  segments: Json
  text: string
  status: Generated<'pending' | 'published' | 'deleted'>
  deleted_by: 'author' | 'staff' | null
  published_at: Generated<Timestamp>
  edited_at: Nullable<Timestamp>
  version: Generated<number>
  edited_by: Nullable<Int8>
  deleted_from: 'pending' | 'published' | null
  deleted_at: Nullable<Timestamp>
  deleted_reason: string | null
  purged_at: Nullable<Timestamp>
  thread_kind: Generated<'topic' | 'question'>
  like_count: Generated<number>
  ai_label: 'author' | 'staff' | null
}

export interface ReplyRevision {
  id: Generated<Int8>
  reply_id: Int8
  body: Json
  written_at: Timestamp
  written_by: Nullable<Int8>
  is_withheld: Generated<boolean>
  withheld_at: Nullable<Timestamp>
  ai_label: 'author' | 'staff' | null
}

export interface Report {
  id: Generated<Int8>
  case_id: Int8
  reporter_id: Int8
  category_id: Int8
  reason: Generated<string>
  status: Generated<'pending' | 'needsReason' | 'reasonSupplied' | 'failed' | 'succeeded'>
  asked: Generated<string>
  reported_at: Generated<Timestamp>
  decided_at: Nullable<Timestamp>
  deleted_by_user_at: Nullable<Timestamp>
  deleted_by_staff_at: Nullable<Timestamp>
  decided_from: 'pending' | 'needsReason' | 'reasonSupplied' | null
}

export interface ReportCase {
  id: Generated<Int8>
  kind: 'topic' | 'comment' | 'reply'
  thing_id: Int8
  topic_id: Int8
  comment_id: Nullable<Int8>
  reply_id: Nullable<Int8>
  author_id: Int8
  title: string
  excerpt: string
  opened_at: Generated<Timestamp>
  report_count: Generated<number>
  changed_by: Nullable<Int8>
  version: Generated<number>
  claimed_by: Nullable<Int8>
  claimed_at: Nullable<Timestamp>
  outcome: 'failed' | 'succeeded' | null
  result: Generated<string>
  remark: Generated<string>
  decided_by: Nullable<Int8>
  decided_at: Nullable<Timestamp>
}

export interface ReportCategory {
  id: Generated<Int8>
  parent_id: Nullable<Int8>
  name_zh: string
  name_en: string
  needs_reason: Generated<boolean>
  sort: Generated<number>
  removed_at: Nullable<Timestamp>
  version: Generated<number>
}

export interface ReportPicture {
  report_id: Int8
  file_id: string
  position: number
}

export interface Review {
  id: Generated<Int8>
  kind: 'topic' | 'comment' | 'reply'
  post_id: Int8
  topic_id: Int8
  author_id: Int8
  is_edit: boolean
  title: string | null
  body: Nullable<Json>
  segments: Nullable<Json>
  summary: string | null
  pictures: Nullable<Json>
  file_ids: Generated<string[]>
  why: 'everybody' | 'members' | 'words'
  words: Generated<string[]>
  state: Generated<'waiting' | 'rejected' | 'approved'>
  asked_at: Generated<Timestamp>
  version: Generated<number>
  claimed_by: Nullable<Int8>
  claimed_until: Nullable<Timestamp>
  decided_by: Nullable<Int8>
  decided_at: Nullable<Timestamp>
  reason_zh: string | null
  reason_en: string | null
  edited_by: Nullable<Int8>
  own_title: string | null
  own_body: Nullable<Json>
  tag_id: Nullable<Int8>
  tag_ids: string[] | null
  ai_generated: boolean | null
}

export interface Reward {
  post_kind: 'topic' | 'comment' | 'reply'
  post_id: Int8
  is_adoption: Generated<boolean>
  member_id: Int8
  rule: 'topic' | 'comment' | 'reply' | 'question' | 'answer' | 'answerReply' | 'adopted' | 'liked'
  points: Int8
  day: Nullable<Timestamp>
  round: Generated<number>
  is_due: boolean
  is_given: boolean
  liker_id: Nullable<Int8>
}

export interface Role {
  id: Generated<Int8>
  name_zh: string
  name_en: string
  is_default: Generated<boolean>
  sort: Generated<number>
  version: Generated<number>
}

export interface RoleHolding {
  id: Generated<Int8>
  member_id: Int8
  role_id: Int8
  during: string
  is_taken: Generated<boolean>
  told_of_end: Nullable<Timestamp>
  told_days: number | null
}

export interface RoleRight {
  role_id: Int8
  right_name: string
  tag_id: Nullable<Int8>
}

export interface Rules {
  is_one: Generated<boolean>
  hash: string
}

export interface SearchAny {
  kind: 'topic' | 'comment' | 'reply'
  source_id: Int8
  words: string
  written_at: Generated<Timestamp>
}

export interface SearchChange {
  number: Generated<Int8>
  kind: 'topic' | 'comment' | 'reply'
  source_id: Int8
  is_new: Generated<boolean>
  spreads: Generated<boolean>
}

export interface SearchEntry {
  key: string
  kind: 'topic' | 'comment' | 'reply'
  topic_id: Int8
  tag_id: Int8
  published_at: Timestamp
  written_at: Generated<Timestamp>
  core: string
  words: string
}

export interface SearchShare {
  token: string
  share: number
}

export interface SearchState {
  only_one: Generated<boolean>
  made_by: string
  counted: Generated<number>
}

export interface SearchWeek {
  week: number
  entries: number
}

export interface SearchWord {
  word: string
  slips: string[]
}

export interface SecondFactor {
  member_id: Int8
  secret: Buffer
  step: Generated<Int8>
  confirmed_at: Nullable<Timestamp>
}

export interface Secret {
  name: string
  value: Buffer
  made_at: Generated<Timestamp>
}

export interface Section {
  id: Generated<Int8>
  parent_id: Nullable<Int8>
  name_zh: string
  name_en: string
  url: Generated<string>
  audience: Generated<'everybody' | 'visitors' | 'members'>
  sort: Generated<number>
  version: Generated<number>
}

export interface SensitiveList {
  id: Generated<Int8>
  name: string
  action: 'replace' | 'review' | 'refuse'
  is_enabled: Generated<boolean>
  word_count: Generated<number>
  changed_at: Generated<Timestamp>
  changed_by: Nullable<Int8>
}

export interface SensitiveWord {
  id: Generated<Int8>
  list_id: Int8
  word: string
  key: string
  hits: Generated<Int8>
  last_hit_at: Nullable<Timestamp>
}

export interface Session {
  id: Generated<Int8>
  member_id: Int8
  ip: string
  user_agent: string
  started_at: Generated<Timestamp>
  last_used_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
  ended_because: 'logged out' | 'ended by member' | 'password changed' | 'token reused' | 'deactivated' | 'ended by staff' | null
  is_looked_at: Generated<boolean>
  browser_hash: Buffer | null
}

export interface SessionProof {
  session_id: Int8
  proved_at: Generated<Timestamp>
}

export interface Setting {
  name: string
  value: Json
  changed_at: Generated<Timestamp>
  changed_by: string
  sealed: Buffer | null
}

export interface SiteZone {
  begins_at: Timestamp
  zone: string
  last_day: Nullable<Timestamp>
}

export interface Slot {
  place: string
  zh: Generated<string>
  en: Generated<string>
  is_on: Generated<boolean>
  version: Generated<number>
}

export interface Staff {
  id: Generated<Int8>
  account: string
  account_key: string
  password_hash: string
  speaks_as: Int8
  made_at: Generated<Timestamp>
  disabled_at: Nullable<Timestamp>
  last_seen_at: Nullable<Timestamp>
  totp_secret: Buffer | null
  totp_confirmed: Generated<boolean>
  totp_step: Generated<Int8>
  owes_password: Generated<boolean>
}

export interface StaffBatch {
  id: Generated<Int8>
  staff_id: Int8
  kind: 'topic' | 'comment' | 'reply' | 'member' | 'review'
  action: string
  reason: string | null
  made_at: Generated<Timestamp>
  undone_at: Nullable<Timestamp>
  undone_by: Nullable<Int8>
  state: Generated<'doing' | 'done' | 'stopped' | 'undoing' | 'undone'>
  why_stopped: 'right' | 'failure' | null
  ended_at: Nullable<Timestamp>
  reached: Generated<Int8>
  filter: Nullable<Json>
  undo_reason: string | null
  ip: string
  total: Generated<number>
  done: Generated<number>
  faults: Generated<number>
  undone: Generated<number>
  left_alone: Generated<number>
  wish: Generated<Json>
}

export interface StaffBatchItem {
  batch_id: Int8
  item_id: Int8
  fault: string | null
  before: Nullable<Json>
  after: Nullable<Json>
  undone: 'undone' | 'left' | 'refused' | null
  why_left: string | null
}

export interface StaffRecoveryCode {
  staff_id: Int8
  hash: Buffer
  used_at: Nullable<Timestamp>
}

export interface StaffRole {
  id: Generated<Int8>
  name_zh: string
  name_en: string
  is_administrator: Generated<boolean>
  made_at: Generated<Timestamp>
}

export interface StaffRoleHolding {
  staff_id: Int8
  role_id: Int8
}

export interface StaffRoleRight {
  role_id: Int8
  right_name: string
}

export interface StaffSession {
  id: Generated<Int8>
  staff_id: Int8
  hash: Buffer
  ip: string
  user_agent: string
  began_at: Generated<Timestamp>
  last_used_at: Generated<Timestamp>
  proved_at: Generated<Timestamp>
  ended_at: Nullable<Timestamp>
  ended_because: string | null
}

export interface StatisticsProgress {
  source: string
  id: Int8
}

export interface Tag {
  id: Generated<Int8>
  parent_id: Nullable<Int8>
  key: string
  name_zh: string
  name_en: string
  is_restricted: Generated<boolean>
  sort: Generated<number>
  topic_count: Generated<number>
  description_zh: Generated<string>
  description_en: Generated<string>
  version: Generated<number>
  picture: string | null
}

export interface TakeBack {
  id: Generated<Int8>
  member_id: Int8
  what: 'password' | 'phone' | 'email' | 'hint' | 'secondFactor'
  former: Buffer | null
  hash: Buffer | null
  at: Generated<Timestamp>
  expires_at: Generated<Timestamp>
}

export interface TakenName {
  key: string
  member_id: Int8
}

export interface Tally {
  id: Generated<Int8>
  of: 'like' | 'favourite'
  post_kind: 'topic' | 'comment' | 'reply'
  post_id: Int8
  delta: number
  members: Generated<string[]>
}

export interface Terms {
  id: Generated<Int8>
  body_zh: string
  body_en: string
  asks_again: boolean
  published_by: Nullable<Int8>
  published_at: Generated<Timestamp>
}

export interface TermsAgreement {
  member_id: Int8
  terms_id: Int8
  agreed_at: Generated<Timestamp>
}

export interface Topic {
  id: Generated<Int8>
  tag_id: Int8
  author_id: Int8
  title: string
  body: Json
  segments: Json
  summary: string
  pictures: Generated<Json>
  status: Generated<'pending' | 'published' | 'deleted'>
  deleted_by: 'author' | 'staff' | null
  published_at: Generated<Timestamp>
  edited_at: Nullable<Timestamp>
  last_reply_at: Generated<Timestamp>
  last_reply_by: Nullable<Int8>
  pin: Generated<number>
  featured_at: Nullable<Timestamp>
  takes_comments: Generated<boolean>
  floors: Generated<number>
  author_floors: Generated<number>
  comment_count: Generated<number>
  view_count: Generated<Int8>
  heat: Generated<number>
  version: Generated<number>
  edited_by: Nullable<Int8>
  deleted_from: 'pending' | 'published' | null
  deleted_at: Nullable<Timestamp>
  deleted_reason: string | null
  purged_at: Nullable<Timestamp>
  sunk_at: Nullable<Timestamp>
  merged_as: Nullable<Int8>
  kind: Generated<'topic' | 'question'>
  is_resolved: Generated<boolean>
  closed_by: Nullable<Int8>
  locks: Generated<string[]>
  withdrawn_at: Nullable<Timestamp>
  question_state: Computed<'unanswered' | 'unresolved' | 'resolved' | 'withdrawn' | null>
  like_count: Generated<number>
  favourite_count: Generated<number>
  reply_count: Generated<number>
  ai_label: 'author' | 'staff' | null
  language: Computed<'zh' | 'en' | null>
}

export interface TopicLook {
  key: string
  at: Timestamp
}

export interface TopicReadPosition {
  member_id: Int8
  topic_id: Int8
  floor: number
  read_at: Generated<Timestamp>
}

export interface TopicRevision {
  id: Generated<Int8>
  topic_id: Int8
  title: string
  body: Json
  written_at: Timestamp
  written_by: Nullable<Int8>
  is_withheld: Generated<boolean>
  withheld_at: Nullable<Timestamp>
  tag_ids: string[] | null
  ai_label: 'author' | 'staff' | null
}

export interface TopicTag {
  topic_id: Int8
  tag_id: Int8
  place_id: Int8
  state: string | null
  last_reply_at: Timestamp
  published_at: Timestamp
  heat: number
  is_listed: boolean
  is_further: Generated<boolean>
  language: string | null
}

export interface TopicWord {
  word: string
  topic_id: Int8
}

export interface TrustedDevice {
  id: Generated<Int8>
  member_id: Int8
  hash: Buffer
  ip: string
  user_agent: string
  trusted_at: Generated<Timestamp>
  used_at: Generated<Timestamp>
  expires_at: Timestamp
}

export interface UndeliverableAddress {
  hash: Buffer
  since: Generated<Timestamp>
}

export interface UnsubscribeToken {
  hash: Buffer
  member_id: Int8
  kind: string | null
  made_at: Generated<Timestamp>
}

export interface Upload {
  id: string
  owner_id: Int8
  kind: 'picture' | 'attachment'
  name: string
  bytes: number
  begun_at: Generated<Timestamp>
  taken_at: Nullable<Timestamp>
}

export interface Welcome {
  topic_id: Int8
}

export interface WelcomeMessage {
  member_id: Nullable<Int8>
  body: Json
  segments: Json
  text: string
}

export interface Written {
  member_id: Int8
  tag_id: Int8
  topics: Generated<number>
  comments: Generated<number>
  replies: Generated<number>
  thread_kind: Generated<'topic' | 'question'>
}

export interface Tables {
  access_token: AccessToken
  account_deletion: AccountDeletion
  adoption: Adoption
  answer_time: AnswerTime
  assistant_conversation: AssistantConversation
  assistant_model: AssistantModel
  assistant_month: AssistantMonth
  assistant_prompt: AssistantPrompt
  assistant_report: AssistantReport
  assistant_report_copy: AssistantReportCopy
  assistant_turn: AssistantTurn
  assistant_usage: AssistantUsage
  attempt: Attempt
  audit_log: AuditLog
  audit_log_head: AuditLogHead
  books_check: BooksCheck
  bounty: Bounty
  bounty_share: BountyShare
  challenge: Challenge
  collusion_flow: CollusionFlow
  collusion_hint: CollusionHint
  collusion_progress: CollusionProgress
  comment: Comment
  comment_revision: CommentRevision
  contact: Contact
  contact_proof: ContactProof
  conversation_participant: ConversationParticipant
  data_download: DataDownload
  data_download_file: DataDownloadFile
  day_address: DayAddress
  day_client: DayClient
  day_count: DayCount
  day_search: DaySearch
  day_searcher: DaySearcher
  decision_taken_back: DecisionTakenBack
  delivery: Delivery
  delivery_template: DeliveryTemplate
  draft: Draft
  favourite: Favourite
  favourite_folder: FavouriteFolder
  feedback: Feedback
  field: Field
  file: File
  file_use: FileUse
  follow: Follow
  follow_progress: FollowProgress
  former_adoption: FormerAdoption
  former_name: FormerName
  friend_link: FriendLink
  generated_text: GeneratedText
  guard_wording: GuardWording
  help_category: HelpCategory
  help_page: HelpPage
  'hidden.earlier': HiddenEarlier
  'hidden.locked': HiddenLocked
  'hidden.opened_before': HiddenOpenedBefore
  'hidden.outline': HiddenOutline
  'hidden.part': HiddenPart
  'hidden.placed': HiddenPlaced
  'hidden.try': HiddenTry
  'hidden.unlock': HiddenUnlock
  'hidden.waiting': HiddenWaiting
  idempotency_key: IdempotencyKey
  identity_provider: IdentityProvider
  identity_request: IdentityRequest
  identity_ticket: IdentityTicket
  import: Import
  import_check: ImportCheck
  import_credit: ImportCredit
  import_note: ImportNote
  import_row: ImportRow
  import_stage: ImportStage
  import_undone_row: ImportUndoneRow
  index_now_state: IndexNowState
  invalidation: Invalidation
  invitation: Invitation
  invitation_use: InvitationUse
  known_browser: KnownBrowser
  known_right: KnownRight
  'ledger.account': LedgerAccount
  'ledger.entry': LedgerEntry
  'ledger.freezing': LedgerFreezing
  'ledger.hold': LedgerHold
  'ledger.kind': LedgerKind
  'ledger.month_sum': LedgerMonthSum
  'ledger.seal': LedgerSeal
  'ledger.side': LedgerSide
  'ledger.summed': LedgerSummed
  'ledger.transaction': LedgerTransaction
  level: Level
  link_preview: LinkPreview
  login_log: LoginLog
  login_ticket: LoginTicket
  maintenance_task: MaintenanceTask
  member: Member
  member_ban: MemberBan
  member_block: MemberBlock
  member_cleanup: MemberCleanup
  member_cleanup_item: MemberCleanupItem
  member_field: MemberField
  member_identity: MemberIdentity
  member_merge: MemberMerge
  member_note: MemberNote
  membership_card: MembershipCard
  membership_coupon: MembershipCoupon
  membership_coupon_card: MembershipCouponCard
  membership_coupon_code: MembershipCouponCode
  membership_gift: MembershipGift
  membership_gift_task: MembershipGiftTask
  membership_order: MembershipOrder
  membership_refund: MembershipRefund
  membership_running: MembershipRunning
  membership_specification: MembershipSpecification
  membership_upgrade: MembershipUpgrade
  message: Message
  message_report: MessageReport
  message_report_copy: MessageReportCopy
  message_setting: MessageSetting
  money_request: MoneyRequest
  notice: Notice
  notice_copy: NoticeCopy
  notification: Notification
  notification_channel: NotificationChannel
  notification_event: NotificationEvent
  notification_mute: NotificationMute
  notification_preference: NotificationPreference
  notification_queue: NotificationQueue
  page_view: PageView
  passkey: Passkey
  passkey_challenge: PasskeyChallenge
  payment_difference: PaymentDifference
  payment_dispute: PaymentDispute
  payment_event: PaymentEvent
  payment_order: PaymentOrder
  payment_provider: PaymentProvider
  payment_refund: PaymentRefund
  payment_refund_request: PaymentRefundRequest
  payment_sandbox: PaymentSandbox
  payment_sandbox_refund: PaymentSandboxRefund
  payment_statement: PaymentStatement
  payment_statement_failure: PaymentStatementFailure
  payment_statement_line: PaymentStatementLine
  personal_access_token: PersonalAccessToken
  poll: Poll
  poll_ballot: PollBallot
  poll_option: PollOption
  post_fingerprint: PostFingerprint
  post_like: PostLike
  postscript: Postscript
  preference: Preference
  push_subscription: PushSubscription
  rate_limit: RateLimit
  read_all_marker: ReadAllMarker
  real_name: RealName
  recovery_code: RecoveryCode
  recovery_ticket: RecoveryTicket
  red_envelope: RedEnvelope
  red_envelope_share: RedEnvelopeShare
  refresh_token: RefreshToken
  refund_due: RefundDue
  register_ticket: RegisterTicket
  registration_request: RegistrationRequest
  removal: Removal
  rename: Rename
  reply: Reply
  reply_revision: ReplyRevision
  report: Report
  report_case: ReportCase
  report_category: ReportCategory
  report_picture: ReportPicture
  review: Review
  reward: Reward
  role: Role
  role_holding: RoleHolding
  role_right: RoleRight
  rules: Rules
  search_any: SearchAny
  search_change: SearchChange
  search_entry: SearchEntry
  search_share: SearchShare
  search_state: SearchState
  search_week: SearchWeek
  search_word: SearchWord
  second_factor: SecondFactor
  secret: Secret
  section: Section
  sensitive_list: SensitiveList
  sensitive_word: SensitiveWord
  session: Session
  session_proof: SessionProof
  setting: Setting
  site_zone: SiteZone
  slot: Slot
  staff: Staff
  staff_batch: StaffBatch
  staff_batch_item: StaffBatchItem
  staff_recovery_code: StaffRecoveryCode
  staff_role: StaffRole
  staff_role_holding: StaffRoleHolding
  staff_role_right: StaffRoleRight
  staff_session: StaffSession
  statistics_progress: StatisticsProgress
  tag: Tag
  take_back: TakeBack
  taken_name: TakenName
  tally: Tally
  terms: Terms
  terms_agreement: TermsAgreement
  topic: Topic
  topic_look: TopicLook
  topic_read_position: TopicReadPosition
  topic_revision: TopicRevision
  topic_tag: TopicTag
  topic_word: TopicWord
  trusted_device: TrustedDevice
  undeliverable_address: UndeliverableAddress
  unsubscribe_token: UnsubscribeToken
  upload: Upload
  welcome: Welcome
  welcome_message: WelcomeMessage
  written: Written
}

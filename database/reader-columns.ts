import type { Tables } from '#database/tables.ts'

type ColumnsOf = { readonly [Name in keyof Tables]?: readonly (keyof Tables[Name] & string)[] }

/** Tables with nothing but short-lived tokens and the like: only the app selects from them. */
export const closedTables = [
  'access_token',
  'challenge',
  'idempotency_key',
  'identity_request',
  'identity_ticket',
  'login_ticket',
  'passkey_challenge',
  'recovery_ticket',
  'refresh_token',
  'register_ticket',
  'secret',
] as const satisfies readonly (keyof Tables)[]

/**
 * Columns that the reader may not select, so that an injection into a page's query reveals no password, code, key or sealed secret. A query
 * that needs one runs as the app; a page that only needs to know whether there is one reads a derived column.
 */
export const closedColumns = {
  assistant_model: ['api_key'],
  contact: ['address_hash'],
  day_searcher: ['who'],
  delivery: ['content'],
  identity_provider: ['client_secret', 'in_app_client_secret'],
  known_browser: ['hash'],
  member: ['password_hash', 'hint_answer_hash'],
  push_subscription: ['endpoint_hash', 'sealed'],
  real_name: ['person_hash'],
  recovery_code: ['hash'],
  post_fingerprint: ['hash'],
  second_factor: ['secret'],
  session: ['browser_hash'],
  setting: ['sealed'],
  staff: ['password_hash', 'totp_secret'],
  staff_recovery_code: ['hash'],
  staff_session: ['hash'],
  take_back: ['former', 'hash'],
} as const satisfies ColumnsOf

type OpenColumns = { why: string; columns: ColumnsOf }

/** Columns that look like secrets by name or type, but which the reader may select. */
export const openColumns: readonly OpenColumns[] = [
  {
    why: 'Sealed with a key that is not in the database. A page shows the content to its owner, or to staff with the right to see it.',
    columns: { contact: ['address'], invitation: ['code'], real_name: ['name', 'number', 'birthday'] },
  },
  {
    why: 'The hash of at least 128 random bits, from which nobody finds the token. A page finds the row by it, or opens what is sealed beside it.',
    columns: { invitation: ['hash'], personal_access_token: ['hash'], unsubscribe_token: ['hash'], trusted_device: ['hash'] },
  },
  {
    why: 'Hashed with a key that is not in the database. A page finds rows by it.',
    columns: { delivery: ['to_hash'], undeliverable_address: ['hash'] },
  },
  {
    why: 'The number that a browser gave its own request. Another member cannot continue a request by it.',
    columns: { payment_order: ['request_key'] },
  },
  {
    why: 'Hashed with a key that is not in the database, over content that the reader may select. A check of the books compares it.',
    columns: { 'ledger.seal': ['hash'], red_envelope: ['seal'], red_envelope_share: ['seal'] },
  },
  {
    why: 'The hash of content that the reader may select, or of entries in a log.',
    columns: {
      'ledger.transaction': ['digest'],
      generated_text: ['hash'],
      file: ['sha256'],
      rules: ['hash'],
      audit_log: ['hash'],
      audit_log_head: ['hash'],
    },
  },
  {
    why: 'A discount, which staff hand out. A page finds it by what a member types, and shows it to staff with the right.',
    columns: { membership_coupon_code: ['code'], membership_order: ['coupon_code_id'], membership_running: ['coupon_code_id'] },
  },
  {
    why: 'How much a model reads and writes, in tokens; and whether it has a key, which says nothing of the key.',
    columns: { assistant_model: ['context_tokens', 'has_key'], assistant_usage: ['cached_tokens', 'input_tokens', 'output_tokens'] },
  },
  {
    why: 'What a payment provider told, as it came: evidence, which staff with the right to see payments look at.',
    columns: { payment_event: ['body'] },
  },
  {
    why: 'Public by its nature: it checks signatures and makes none.',
    columns: { passkey: ['public_key'] },
  },
  {
    why: 'Opens a stream of counts that the reader selects anyway.',
    columns: { poll: ['results_key'] },
  },
  {
    why: 'Names its row: an account in the spelling that is compared, a thing that is counted, a group, or a word that is searched for.',
    columns: {
      attempt: ['key'],
      delivery: ['effect_key'],
      former_name: ['key'],
      link_preview: ['key'],
      member: ['account_key', 'nickname_key'],
      message: ['key'],
      rate_limit: ['key'],
      notification: ['group_key'],
      search_entry: ['key'],
      search_share: ['token'],
      sensitive_word: ['key'],
      staff: ['account_key'],
      tag: ['key'],
      taken_name: ['key'],
      topic_look: ['key'],
    },
  },
  {
    why: 'Says only whether there is a password, or whether one must be chosen.',
    columns: { member: ['has_password'], staff: ['owes_password'] },
  },
]

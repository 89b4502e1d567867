import type { Manifest } from '#base/manifest.ts'
import { manifest as audit } from '#audit/manifest.ts'
import { manifest as frame } from '#frame/manifest.ts'
import { manifest as setting } from '#setting/manifest.ts'
import { manifest as role } from '#role/manifest.ts'
import { manifest as sensitiveWord } from '#sensitive-word/manifest.ts'
import { manifest as field } from '#field/manifest.ts'
import { manifest as delivery } from '#delivery/manifest.ts'
import { manifest as invitation } from '#invitation/manifest.ts'
import { manifest as identity } from '#identity/manifest.ts'
import { manifest as staff } from '#staff/manifest.ts'
import { manifest as batch } from '#batch/manifest.ts'
import { manifest as notification } from '#notification/manifest.ts'
import { manifest as wallet } from '#wallet/manifest.ts'
import { manifest as tag } from '#tag/manifest.ts'
import { manifest as redEnvelope } from '#red-envelope/manifest.ts'
import { manifest as collusion } from '#collusion/manifest.ts'
import { manifest as message } from '#message/manifest.ts'
import { manifest as question } from '#question/manifest.ts'
import { manifest as poll } from '#poll/manifest.ts'
import { manifest as content } from '#content/manifest.ts'
import { manifest as report } from '#report/manifest.ts'
import { manifest as review } from '#review/manifest.ts'
import { manifest as payment } from '#payment/manifest.ts'
import { manifest as membership } from '#membership/manifest.ts'
import { manifest as member } from '#member/manifest.ts'
import { manifest as memberCleanup } from '#member-cleanup/manifest.ts'
import { manifest as help } from '#help/manifest.ts'
import { manifest as feedback } from '#feedback/manifest.ts'
import { manifest as link } from '#link/manifest.ts'
import { manifest as assistant } from '#assistant/manifest.ts'
import { manifest as maintenance } from '#maintenance/manifest.ts'
import { manifest as statistic } from '#statistic/manifest.ts'

/** The manifests of all features, in the order of features/order.js. */
export const manifests = [
  audit,
  frame,
  setting,
  role,
  sensitiveWord,
  field,
  delivery,
  invitation,
  identity,
  staff,
  batch,
  notification,
  wallet,
  tag,
  redEnvelope,
  collusion,
  message,
  question,
  poll,
  content,
  report,
  review,
  payment,
  membership,
  member,
  memberCleanup,
  help,
  feedback,
  link,
  assistant,
  maintenance,
  statistic,
] as const satisfies readonly Manifest[]

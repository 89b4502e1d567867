import type { Screen } from '#base/admin/screen.ts'
import { screens as assistant } from '#assistant/admin/screens.ts'
import { screens as audit } from '#audit/admin/screens.ts'
import { screens as batch } from '#batch/admin/screens.ts'
import { screens as collusion } from '#collusion/admin/screens.ts'
import { screens as content } from '#content/admin/screens.ts'
import { screens as delivery } from '#delivery/admin/screens.ts'
import { screens as feedback } from '#feedback/admin/screens.ts'
import { screens as field } from '#field/admin/screens.ts'
import { screens as frame } from '#frame/admin/screens.ts'
import { screens as help } from '#help/admin/screens.ts'
import { screens as identity } from '#identity/admin/screens.ts'
import { screens as invitation } from '#invitation/admin/screens.ts'
import { screens as link } from '#link/admin/screens.ts'
import { screens as look } from '#look/admin/screens.ts'
import { screens as maintenance } from '#maintenance/admin/screens.ts'
import { screens as member } from '#member/admin/screens.ts'
import { screens as memberCleanup } from '#member-cleanup/admin/screens.ts'
import { screens as membership } from '#membership/admin/screens.ts'
import { screens as message } from '#message/admin/screens.ts'
import { screens as notification } from '#notification/admin/screens.ts'
import { screens as payment } from '#payment/admin/screens.ts'
import { screens as redEnvelope } from '#red-envelope/admin/screens.ts'
import { categoryScreens, screens as report } from '#report/admin/screens.ts'
import { screens as review } from '#review/admin/screens.ts'
import { screens as role } from '#role/admin/screens.ts'
import { screens as sensitiveWord } from '#sensitive-word/admin/screens.ts'
import { screens as setting } from '#setting/admin/screens.ts'
import { ownScreens, screens as staff } from '#staff/admin/screens.ts'
import { screens as statistic } from '#statistic/admin/screens.ts'
import { screens as wallet } from '#wallet/admin/screens.ts'

/** Every screen of the administration. Within a section of the menu they stand in this order. */
export const screens: readonly Screen[] = [
  statistic,
  review,
  sensitiveWord,
  report,
  message,
  categoryScreens,
  content,
  member,
  invitation,
  memberCleanup,
  role,
  field,
  wallet,
  collusion,
  membership,
  payment,
  redEnvelope,
  notification,
  help,
  feedback,
  link,
  identity,
  setting,
  delivery,
  assistant,
  look,
  frame,
  staff,
  audit,
  batch,
  maintenance,
  ownScreens,
].flat()

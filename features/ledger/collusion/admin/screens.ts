import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import { hints } from '#collusion/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/collusion',
    page: () => import('#collusion/admin/hints-page.tsx'),
    title: 'collusionAdmin.hints',
    right: 'wallet.view',
    group: 'members',
    aliases:
      'fraud abuse sockpuppets sock puppets multiple accounts alts duplicate accounts vote ring rings farming cheating 小号 马甲 刷分 刷赞 互赞 互刷 作弊 套利 同一人 多账号',
    load: listLoader(hints),
  },
]

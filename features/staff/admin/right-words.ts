import type { staffRights } from '#staff/contract.ts'

type Right = (typeof staffRights)[number]

const rightWords: Readonly<Record<Right, string>> = {
  'content.view': 'mayContentView',
  'content.edit': 'mayContentEdit',
  'content.remove': 'mayContentRemove',
  'content.purge': 'mayContentPurge',
  'content.review': 'mayContentReview',
  'question.adopt': 'mayQuestionAdopt',
  'question.bounty': 'mayQuestionBounty',
  'content.seeHidden': 'mayContentSeeHidden',
  'word.manage': 'mayWordManage',
  'tag.manage': 'mayTagManage',
  'member.view': 'mayMemberView',
  'member.edit': 'mayMemberEdit',
  'member.access': 'mayMemberAccess',
  'member.ban': 'mayMemberBan',
  'member.clean': 'mayMemberClean',
  'member.cancel': 'mayMemberCancel',
  'role.manage': 'mayRoleManage',
  'wallet.view': 'mayWalletView',
  'wallet.adjust': 'mayWalletAdjust',
  'wallet.reverse': 'mayWalletReverse',
  'membership.view': 'mayMembershipView',
  'membership.manage': 'mayMembershipManage',
  'membership.refund': 'mayMembershipRefund',
  'setting.view': 'maySettingView',
  'setting.change': 'maySettingChange',
  'statistic.view': 'mayStatisticView',
  'staff.manage': 'mayStaffManage',
  'report.view': 'mayReportView',
  'report.decide': 'mayReportDecide',
  'report.manage': 'mayReportManage',
  'message.report': 'mayMessageReport',
  'notice.send': 'mayNoticeSend',
  'help.manage': 'mayHelpManage',
  'feedback.handle': 'mayFeedbackHandle',
  'link.manage': 'mayLinkManage',
  'identity.manage': 'mayIdentityManage',
  'invitation.manage': 'mayInvitationManage',
  'member.approve': 'mayMemberApprove',
  'member.realName': 'mayMemberRealName',
  'frame.manage': 'mayFrameManage',
  'audit.view': 'mayAuditView',
  'wallet.freeze': 'mayWalletFreeze',
  'site.maintain': 'maySiteMaintain',
  'site.backup': 'maySiteBackup',
}

/** The key of the words for a right; itself where this version of the forum does not know it. */
export function rightWord(right: string): string {
  return rightWords[right as Right] ?? right
}

/** The rights as a form offers them: what concerns one part of the house together. */
export const rightGroups: readonly { title: string; rights: readonly Right[] }[] = [
  {
    title: 'rightsContent',
    rights: [
      'content.view',
      'content.edit',
      'content.remove',
      'content.purge',
      'content.review',
      'question.adopt',
      'question.bounty',
      'content.seeHidden',
      'word.manage',
      'tag.manage',
      'report.view',
      'report.decide',
      'report.manage',
      'message.report',
    ],
  },
  {
    title: 'rightsMembers',
    rights: [
      'member.view',
      'member.edit',
      'member.access',
      'member.ban',
      'member.clean',
      'member.cancel',
      'role.manage',
      'invitation.manage',
      'member.approve',
      'member.realName',
    ],
  },
  {
    title: 'rightsWallet',
    rights: ['wallet.view', 'wallet.adjust', 'wallet.reverse', 'membership.view', 'membership.manage', 'membership.refund'],
  },
  {
    title: 'rightsSite',
    rights: [
      'setting.view',
      'setting.change',
      'notice.send',
      'help.manage',
      'feedback.handle',
      'link.manage',
      'identity.manage',
      'frame.manage',
    ],
  },
  { title: 'rightsHouse', rights: ['statistic.view', 'audit.view', 'staff.manage', 'wallet.freeze', 'site.maintain', 'site.backup'] },
]

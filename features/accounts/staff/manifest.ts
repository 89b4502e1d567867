import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'staff',
  staffRights: { house: ['staff.manage'] },
  auditActions: [
    'staff.signIn',
    'staff.signOut',
    'staff.enterForum',
    'staff.signInFailed',
    'staff.proofFailed',
    'staff.add',
    'staff.edit',
    'staff.reset',
    'staff.password',
    'staff.session.end',
    'staff.secondFactor.add',
    'staff.secondFactor.codes',
    'staff.secondFactor.remove',
    'staffRole.add',
    'staffRole.edit',
    'staffRole.remove',
  ],
  auditSubjects: {
    staff: () => '/admin/staff',
    staffRole: () => '/admin/staffRole',
    staffSession: null,
  },
} as const satisfies Manifest

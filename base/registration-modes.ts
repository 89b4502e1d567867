/** Registration: open, by invitation code, or with approval by staff. */
export const registrationModes = ['open', 'invitation', 'approval'] as const

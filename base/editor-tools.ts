/** The tools that an editor may offer, each named after its button. Undo and redo are always there. */
export const richTools = [
  'bold',
  'italic',
  'strike',
  'code',
  'heading',
  'subheading',
  'bulletList',
  'orderedList',
  'taskList',
  'quote',
  'codeBlock',
  'table',
  'rule',
  'hidden',
  'picture',
  'camera',
  'emoji',
  'file',
  'mention',
  'link',
  'ai',
] as const
/** The tools of a reply's editor. */
export const plainTools = ['bold', 'italic', 'strike', 'code', 'picture', 'camera', 'emoji', 'mention', 'link', 'ai'] as const

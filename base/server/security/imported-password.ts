/** What another program stored of a password: the family of its hashes, the salt where it stands apart, and the hash as it was. */
export type ImportedPassword = {
  family: 'phpbb' | 'discuz' | 'nodebb' | 'flarum' | 'discourse' | 'diyhi'
  hash: string
  salt?: string
  /** How the text was encoded before it was hashed, if not in UTF-8. */
  charset?: 'gbk'
}

export function importedHash(_: ImportedPassword): Promise<string | null> {
  return Promise.resolve(null)
}

import { describe, expect, test } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { importerOf } from '#importer/server/programs.ts'

const others = { files: null, password: '', prefix: undefined, charset: undefined, origin: undefined }

describe.each(['phpbb', 'discuz', 'nodebb'])('an address with a password is refused for %s, and no message repeats it', (program) => {
  test.each([
    'mysql://ann:secret@127.0.0.1:1/forum',
    'mysql://ann:se/secret#?@127.0.0.1:1/forum',
    'postgres://ann:secret@127.0.0.1:1/forum',
    'postgres://ann@127.0.0.1:1/forum?password=secret',
    'redis://:secret@127.0.0.1:1/0',
    'redis://127.0.0.1:1/0?password=secret',
    'rediss://ann:secret@127.0.0.1:1',
    'mongodb://ann:secret@127.0.0.1:1/forum',
  ])('%s', async (from) => {
    const error = await importerOf(program)
      .open({ ...others, from })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CannotStart)
    expect(String(error)).toContain('holds a password')
    expect(String(error)).not.toContain('secret')
  })
})

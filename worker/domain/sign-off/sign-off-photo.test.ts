import { expect, it } from 'vitest'
import { photosSigned } from './sign-off-photo.ts'

it('lists the photos of a signature, each where it lies', () => {
  const [hash, subject] = ['a'.repeat(64), { orgId: 'org', personId: 'ann' }]
  const steps = [
    { step: 'a', isShown: true, note: '' },
    { step: 'b', isShown: false, note: '', photo: hash },
  ]
  const signed = { version: 'f'.repeat(64), seq: 0, steps, name: 'Bo', meaning: 'Seen.' }
  expect(photosSigned(signed, subject)).toEqual([{ ...subject, hash }])
})

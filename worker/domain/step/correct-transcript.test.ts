import { describe, expect, it } from 'vitest'
import { extendGlossary } from './correct-transcript.ts'

describe('extendGlossary', () => {
  it.each([
    [null, ['Kubernetes'], 'Kubernetes'],
    ['', ['Kubernetes', 'kubernetes'], 'Kubernetes'],
    ['pod', ['Kubernetes'], 'pod, Kubernetes'],
    ['pod,', ['Kubernetes'], 'pod, Kubernetes'],
    ['pod\nnode', ['Kubernetes'], 'pod\nnode\nKubernetes'],
    ['pod, KUBERNETES', ['Kubernetes'], 'pod, KUBERNETES'],
    ['pod', [], 'pod'],
    ['x'.repeat(796), ['ab'], `${'x'.repeat(796)}, ab`],
    ['x'.repeat(797), ['ab'], null],
  ])('makes %j with %j into %j', (glossary, words, longer) => {
    expect(extendGlossary(glossary, words)).toBe(longer)
  })
})

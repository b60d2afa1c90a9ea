import { expect, it } from 'vitest'
import {
  collectionPath,
  embedPath,
  foundPath,
  linkIdIn,
  printPath,
  sharedFilePath,
  sharedPosterPath,
  sharedVideoPath,
  sharePath,
  sharePathFrom,
  smallVideoPath,
} from './share-page.ts'

it('leads to what a link shows, whatever its id', () => {
  expect([sharePath, sharedVideoPath, sharedPosterPath, printPath, embedPath].map((path) => path('a/b'))).toEqual([
    '/share/a%2Fb',
    '/share/a%2Fb/video',
    '/share/a%2Fb/images/poster',
    '/share/a%2Fb/print',
    '/embed/a%2Fb',
  ])
  expect([collectionPath('c d'), foundPath('c')]).toEqual(['/share/c/c%20d', '/share/c/c/found'])
  expect(sharePathFrom('c d', 'm')).toBe('/share/m?collection=c%20d')
})

it('finds the id of a link in its path', () => {
  expect(linkIdIn(sharePath('a/b'))).toBe('a/b')
})

it('asks for a file in a language, or as it was written', () => {
  expect(sharedFilePath('m', 'steps.md')).toBe('/share/m/steps.md')
  expect(sharedFilePath('m', 'steps.md', 'de')).toBe('/share/m/steps.md?lang=de')
})

it('finds the small copy beside the video, with its query', () => {
  expect(['/share/m/video', '/share/video/video?t=1#x'].map(smallVideoPath)).toEqual([
    '/share/m/video/small',
    '/share/video/video/small?t=1#x',
  ])
})

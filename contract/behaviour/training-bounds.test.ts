// Behaviour: what a client may send about trainings, their steps and their texts, at least and at most. Other programs
// and older pages keep to these numbers, so they are written out here once more.
import { expect, it } from 'vitest'
import { CaptionRepair } from '../captions/report.ts'
import { CollectionPatch, NewCollection } from '../collection.ts'
import { CutRanges } from '../cuts.ts'
import { AnyLanguage, ModuleListRequest, ModulePatch, ModuleWork, NewVersion } from '../module.ts'
import { ScreenArea, ScreenBlock, ScreenCorrection, ScreenReading } from '../screen.ts'
import { SearchRequest } from '../search.ts'
import { UnlockRequest } from '../share.ts'
import { SmallCopyArrived, SmallCopyRequest, VideoId } from '../small-copy.ts'
import {
  Callout,
  DecideProposals,
  OfferScenes,
  ProposedCallout,
  SaveSteps,
  StepCommand,
  StepFocus,
  StepId,
  StepImage,
  StepInput,
} from '../step.ts'
import { RewriteRequest } from '../step-editing.ts'
import { type Bound, listOf, number, text, tryBounds, within } from '../testing/bounds.ts'
import { ProposedTime, TakeRecording } from '../training/recording.ts'
import { CorrectSegment, CorrectTranscript, SegmentId, TranscriptSegment } from '../transcript.ts'
import { TranslationEdit } from '../translation.ts'
import {
  AudioArrived,
  AudioUrlsRequest,
  ClientAudioChunk,
  CompleteRequest,
  PartArrived,
  PartUrlsRequest,
  PresignRequest,
} from '../upload.ts'

const DAY_S = 86_400
const STEP = { title: 'Lift', start: 0, end: 10 }
const CALLOUT = { kind: 'tip', text: 'Easy' }
const COMMAND = { kind: 'code', text: 'x', startMs: 0 }
const BLOCK = { text: 'x', startMs: 5, endMs: 5, box: { x: 0, y: 0, width: 1, height: 1 }, kind: 'code', confidence: 1 }
const CORRECTION = { readText: 'x', startMs: 5, endMs: 5, text: null, kind: null, isHidden: true }
const AUDIO = { contentType: 'audio/mp4', sizeBytes: 1, audioStartMs: 0, audioDurationMs: 1 }
const CHUNK = { ...AUDIO, chunk: 0, startMs: 0, endMs: 1 }
/** A language tag of so many characters: 5 for "en-x-", then private parts. */
const tag = (length: number) => `en-x-${'aaaaaaaa-'.repeat(9).slice(0, length - 5)}`

const BOUNDS: Bound[] = [
  ['title of a step', StepInput, within('title', text, STEP), 1, 100],
  ['description of a step', StepInput, within('description', text, STEP), 0, 500],
  ['start of a step', StepInput, within('start', number, { ...STEP, end: DAY_S }), 0, DAY_S],
  ['end of a step', StepInput, within('end', number, STEP), 0, DAY_S],
  ['aliases of a step', StepInput, within('aliases', listOf('a'), STEP), 0, 10],
  ['alias', StepInput, within('aliases', (size) => [text(size)], STEP), 0, 100],
  ['notes', StepInput, within('notes', text, STEP), 0, 5_000],
  ['spoken text of a step', StepInput, within('originalText', text, STEP), 0, 20_000],
  ['rewritten text', StepInput, within('aiRewrite', text, STEP), 0, 5_000],
  ['text before it', StepInput, within('beforeRewrite', text, STEP), 0, 5_000],
  ['chapter', StepInput, within('chapter', text, STEP), 1, 100],
  ['callouts', StepInput, within('callouts', listOf(CALLOUT), STEP), 0, 12],
  ['proposed callouts', StepInput, within('proposedCallouts', listOf({ ...CALLOUT, quote: 'so it is' }), STEP), 0, 12],
  ['commands', StepInput, within('commands', listOf(COMMAND), STEP), 0, 8],
  ['focus', StepInput, (x) => ({ ...STEP, focus: { x, y: 80, width: 60, height: 20 } }), 0, 40],
  ['focus from the top', StepInput, (y) => ({ ...STEP, focus: { x: 40, y, width: 60, height: 20 } }), 0, 80],
  ['callout', Callout.shape.text, text, 1, 200],
  ['quote of a callout', ProposedCallout.shape.quote, text, 1, 1_000],
  ['command', StepCommand.shape.text, text, 1, 500],
  ['place of a focus', StepFocus.shape.x, number, 0, 100],
  ['side of a focus', StepFocus.shape.width, number, 20, 100],
  ['moment of an image', StepImage, number, 0, DAY_S],
  ['id of a step', StepId, text, 1, 64],
  ['steps', SaveSteps.shape.steps, listOf(STEP), 0, 500],
  ['index of a step', SaveSteps.shape.stepIndex, number, 0, null],
  ['scenes', OfferScenes.shape.starts, listOf(1), 0, 60],
  ['decided proposals', DecideProposals.shape.ids, listOf('a'), 1, 500],
  ['text to rewrite', RewriteRequest.shape.text, text, 3, 5_000],
  ['instruction', RewriteRequest.shape.instruction, text, 0, 500],
  ['cuts', CutRanges, listOf([1, 2]), 0, 200],
  ['place of a cut', CutRanges, (place) => [[place, place]], 0, DAY_S],
  ['title of a module', ModulePatch.shape.title, text, 1, 200],
  ['glossary', ModulePatch.shape.glossary, text, 0, 800],
  ['audio track', ModulePatch.shape.audioTrack, number, 0, null],
  ['completion', ModulePatch.shape.completionPercent, number, 1, 100],
  ['answers by link', ModulePatch.shape.linkAnswersPerDay, number, 0, 500],
  ['password of a link', ModulePatch.shape.linkPassword, text, 8, 100],
  ['languages', ModulePatch.shape.languages, listOf('de'), 0, 13],
  ['language tag', AnyLanguage, tag, 6, 35],
  ['progress of a new version', NewVersion.shape.progress, number, 0, 100],
  ['videos before', ModuleWork.shape.waiting, within('before', number, { seconds: null }), 0, null],
  ['time to wait', ModuleWork.shape.waiting, within('seconds', number, { before: 0 }), 0, null],
  ['time of work', ModuleWork.shape.seconds, number, 0, null],
  ['entered password', UnlockRequest.shape.password, text, 0, 100],
  ['modules of a page', ModuleListRequest, (limit) => ({ limit: String(limit) }), 1, 100],
  ['cursor', ModuleListRequest.shape.cursor, text, 1, 200],
  ['searched title', ModuleListRequest.shape.search, text, 0, 200],
  ['search', SearchRequest.shape.query, text, 0, 200],
  ['title of a collection', NewCollection.shape.title, text, 1, 200],
  ['modules of a collection', CollectionPatch.shape.moduleIds, listOf('m'), 0, 100],
  ['id in a collection', CollectionPatch.shape.moduleIds, (size) => [text(size)], 0, 64],
  ['speaker', TranscriptSegment.shape.speaker, text, 1, 40],
  ['corrected line', CorrectSegment.shape.text, text, 1, 2_000],
  ['new glossary words', CorrectSegment.shape.glossary, listOf('word'), 0, 20],
  ['new glossary word', CorrectSegment.shape.glossary, (size) => [text(size)], 1, 100],
  ['id of a line', SegmentId, text, 1, 64],
  ['corrections', CorrectTranscript.shape.edits, listOf({ id: 's', text: 'x' }), 0, 1_000],
  ['line of a caption file', CaptionRepair.shape.line, number, 1, null],
  ['item of a translation', TranslationEdit, within('item', text, { isApproved: true }), 1, 100],
  ['hash of a source', TranslationEdit, within('sourceHash', text, { item: 'title', isApproved: true }), 0, 64],
  ['texts of a translation', TranslationEdit, within('texts', listOf('x'), { item: 'step:a' }), 1, 200],
  ['translated title', TranslationEdit, within('texts', (size) => [text(size)], { item: 'title' }), 0, 200],
  ['translated chapter', TranslationEdit, within('texts', (size) => [text(size)], { item: 'chapters' }), 0, 100],
  ['translated line', TranslationEdit, within('texts', (size) => [text(size)], { item: 'captions:a' }), 0, 2_000],
  ['translated step', TranslationEdit, within('texts', (size) => [text(size)], { item: 'step:a' }), 0, 100],
  ['its description', TranslationEdit, within('texts', (size) => ['x', text(size)], { item: 'step:a' }), 0, 500],
  ['its callout', TranslationEdit, within('texts', (size) => ['x', 'x', text(size)], { item: 'step:a' }), 0, 200],
  ['share of a picture', ScreenArea.shape.x, number, 0, 1],
  ['text on the screen', ScreenBlock.shape.text, text, 1, 500],
  ['end of a text', ScreenBlock, within('endMs', number, BLOCK), 5, null],
  ['start of a text', ScreenBlock, within('startMs', number, BLOCK), 0, 5],
  ['secrets', ScreenReading.shape.secrets, listOf({ startMs: 0, endMs: 0, kind: 'key' }), 0, 200],
  ['texts on the screen', ScreenReading.shape.blocks, listOf(BLOCK), 0, 4_000],
  ['corrected text', ScreenCorrection.shape.text, text, 1, 500],
  ['text as it was read', ScreenCorrection.shape.readText, text, 1, 500],
  ['end of a correction', ScreenCorrection, within('endMs', number, CORRECTION), 5, null],
  ['id of a video', VideoId, text, 1, 64],
  ['small copy', SmallCopyRequest.shape.sizeBytes, number, 1, null],
  ['key of a small copy', SmallCopyArrived, within('key', text, { codec: 'avc1.64001f' }), 1, 200],
  ['confidence of a place', ProposedTime.shape.confidence, number, 0, 1],
  ['steps of a recording', TakeRecording.shape.steps, listOf({ id: 'a', start: 1, end: 2 }), 0, 500],
  ['end in a recording', TakeRecording.shape.steps, (end) => [{ id: 'a', start: 4, end }], 5, DAY_S],
  ['id of a recording', TakeRecording.shape.recordingId, text, 1, 64],
  ['file name', PresignRequest.shape.filename, text, 1, 255],
  ['content type', PresignRequest.shape.contentType, text, 0, 100],
  ['size of a file', PresignRequest.shape.sizeBytes, number, 0, null],
  ['length of a video', PresignRequest.shape.durationMs, number, 0, null],
  ['fingerprint', PresignRequest.shape.fingerprint, text, 0, 200],
  ['replaced module', PresignRequest.shape.replaces, text, 1, 64],
  ['module of an upload', CompleteRequest.shape.moduleId, text, 1, 64],
  ['key of an upload', CompleteRequest.shape.key, text, 1, 1_024],
  ['addresses of parts', PartUrlsRequest.shape.parts, listOf(1), 1, 50],
  ['tag of a part', PartArrived.shape.etag, text, 1, 200],
  ['addresses of audio', AudioUrlsRequest.shape.chunks, listOf({ chunk: 0, sizeBytes: 1 }), 1, 50],
  ['chunk', AudioUrlsRequest.shape.chunks, (chunk) => [{ chunk, sizeBytes: 1 }], 0, 17_279],
  ['size of a chunk', AudioUrlsRequest.shape.chunks, (sizeBytes) => [{ chunk: 0, sizeBytes }], 1, 33_554_432],
  ['files of a chunk', ClientAudioChunk.shape.parts, listOf(AUDIO), 0, 99],
  ['start of a chunk', ClientAudioChunk.shape.startMs, number, 0, DAY_S * 1_000],
  ['end of a chunk', ClientAudioChunk.shape.endMs, number, 1, DAY_S * 1_000],
  ['chunks that arrive', AudioArrived.shape.chunks, listOf(CHUNK), 0, 50],
  ['all chunks', AudioArrived.shape.chunkCount, number, 1, 17_280],
]

it.each(BOUNDS)('takes a client’s %s up to its bounds', (...bound) => {
  expect(tryBounds(bound)).toEqual([false, true, ...(bound[4] === null ? [] : [true, false])])
})

it.each([
  ['a module', ModulePatch],
  ['a collection', CollectionPatch],
])('refuses a change of %s that changes nothing', (_what, schema) => {
  expect(schema.safeParse({}).success).toBe(false)
  expect(schema.safeParse({ shared: true }).success).toBe(true)
})

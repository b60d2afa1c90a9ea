"""Transcribes audio files with faster-whisper: a JSON request per line on stdin, its JSON answer per line on stdout.

    transcribe.py PACKAGES MODEL

Begins with {"ready": ...} or {"failed": ...}, and ends when stdin does.
"""
import json
import os
import queue
import sys
import threading
import types

PACKAGES, MODEL = sys.argv[1:3]
SAMPLE_RATE_HZ = 16_000
# Only containers that carry their audio in themselves: a playlist could name any file of this machine.
FORMATS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,ogg,mp3,wav,flac,aac'

# Libraries that print must not break the protocol.
ANSWERS = os.fdopen(os.dup(1), 'w', encoding='utf-8')
os.dup2(2, 1)

sys.path.insert(0, PACKAGES)
# faster-whisper imports the client of the hub, which it needs only to download weights.
sys.modules['huggingface_hub'] = types.ModuleType('huggingface_hub')


class UnreadableAudio(Exception):
    """The file holds no audio that can be decoded."""


def write(answer):
    ANSWERS.write(json.dumps(answer) + '\n')
    ANSWERS.flush()


def read_requests(requests):
    for line in sys.stdin.buffer:
        requests.put(json.loads(line))
    # Nobody reads the rest of a transcription.
    os._exit(0)


def count_cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count() or 1


def open_model():
    """Opens the model, on a GPU where one works."""
    import ctranslate2
    import numpy
    from faster_whisper import WhisperModel

    def open_on(device, compute_type):
        model = WhisperModel(MODEL, device=device, compute_type=compute_type, cpu_threads=count_cores())
        # Loads what the first transcription would wait for, and fails here where a library is missing.
        silence = numpy.zeros(SAMPLE_RATE_HZ, numpy.float32)
        for _ in model.transcribe(silence, language='en', temperature=0, max_new_tokens=1)[0]:
            pass
        encode_once(model)
        return device, model

    if ctranslate2.get_cuda_device_count() > 0:
        try:
            return open_on('cuda', 'int8_float16')
        except (RuntimeError, ValueError) as error:
            print(f'The GPU is not used: {error}', file=sys.stderr)
    return open_on('cpu', 'int8')


def encode_once(model):
    """Has the first window encoded once: faster-whisper does so for its language and once more for its words."""
    import numpy

    encode, detect_language = model.encode, model.detect_language
    features_before, output_before = numpy.empty(0), None

    def encode_new(features):
        nonlocal features_before, output_before
        if not numpy.array_equal(features, features_before):
            features_before, output_before = features, encode(features)
        return output_before

    def detect_in_content(features, **options):
        # Words are read without the last frame.
        return detect_language(features=features[..., :-1], **options)

    model.encode, model.detect_language = encode_new, detect_in_content


def decode(path):
    """The samples of a file's first audio track, as Whisper takes them."""
    import av
    import numpy

    samples = []
    resampler = av.AudioResampler(format='s16', layout='mono', rate=SAMPLE_RATE_HZ)
    options = {'protocol_whitelist': 'file', 'format_whitelist': FORMATS}
    try:
        with av.open(path, container_options=options) as container:
            frames = container.decode(audio=0)
            while True:
                try:
                    frame = next(frames)
                except StopIteration:
                    break
                except av.error.InvalidDataError:
                    continue
                samples += [part.to_ndarray()[0] for part in resampler.resample(frame)]
        samples += [part.to_ndarray()[0] for part in resampler.resample(None)]
    except (av.error.FFmpegError, IndexError) as error:
        raise UnreadableAudio(str(error)) from error
    if not samples:
        raise UnreadableAudio('there is no audio in it')
    return numpy.concatenate(samples).astype(numpy.float32) / 32768


def transcribe(model, request):
    """An answer in the form of OpenAI's verbose_json. Words keep their leading blanks."""
    audio = decode(request['path'])
    language = request['language'] if request['language'] in model.supported_languages else None
    found, info = model.transcribe(
        audio,
        language=language,
        initial_prompt=request['prompt'],
        word_timestamps=True,
        condition_on_previous_text=False,
    )
    segments = [
        {
            'id': index,
            'start': segment.start,
            'end': segment.end,
            'text': segment.text,
            'temperature': segment.temperature,
            'avg_logprob': segment.avg_logprob,
            'compression_ratio': segment.compression_ratio,
            'no_speech_prob': segment.no_speech_prob,
            'words': [
                {'word': word.word, 'start': word.start, 'end': word.end, 'probability': word.probability}
                for word in segment.words
            ],
        }
        for index, segment in enumerate(found)
    ]
    return {
        'task': 'transcribe',
        'language': info.language,
        'duration': len(audio) / SAMPLE_RATE_HZ,
        'text': ''.join(segment['text'] for segment in segments).strip(),
        'words': [word for segment in segments for word in segment['words']],
        'segments': segments,
    }


def main():
    requests = queue.SimpleQueue()
    threading.Thread(target=read_requests, args=(requests,), daemon=True).start()
    try:
        device, model = open_model()
    except Exception as error:  # Whatever it is, the reason goes to the person who runs Adapt.
        write({'failed': f'{type(error).__name__}: {error}'})
        return
    write({'ready': device})
    while True:
        request = requests.get()
        try:
            write({'id': request['id'], 'transcription': transcribe(model, request)})
        except UnreadableAudio as error:
            write({'id': request['id'], 'unreadable': str(error)})
        except Exception as error:
            write({'id': request['id'], 'failed': f'{type(error).__name__}: {error}'})


main()

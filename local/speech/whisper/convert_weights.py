"""Prints the SHA-256 that weights of CTranslate2 have in the form of whisper.cpp, which holds the same numbers.

    convert_weights.py PACKAGES MODEL OPENAI_WHISPER_SDIST
"""
import hashlib
import io
import json
import os
import struct
import sys
import tarfile

PACKAGES, MODEL, SDIST = sys.argv[1:4]
sys.path.insert(0, PACKAGES)
import numpy  # noqa: E402

# Of GPT-2; the rest of the vocabulary is made of timestamps and marks.
TEXT_TOKENS = 50257
AUDIO_CONTEXT, TEXT_CONTEXT, MELS, HALF_PRECISION = 1500, 448, 80, 1
HEAD_WIDTH = 64
KINDS = {0: numpy.float32, 1: numpy.int8, 2: numpy.int16, 3: numpy.int32, 4: numpy.float16}


def read_tensors(data):
    """The arrays of CTranslate2's binary form, version 6, by name."""
    at = 4

    def read_text():
        nonlocal at
        length, = struct.unpack_from('<H', data, at)
        at += 2 + length
        return data[at - length:at - 1].decode()

    read_text()
    at += 4
    count, = struct.unpack_from('<I', data, at)
    at += 4
    tensors = {}
    for _ in range(count):
        name = read_text()
        rank = data[at]
        shape = struct.unpack_from(f'<{rank}I', data, at + 1)
        kind, size = struct.unpack_from('<BI', data, at + 1 + 4 * rank)
        at += 6 + 4 * rank
        dtype = numpy.dtype(KINDS[kind])
        tensors[name] = numpy.frombuffer(data, dtype, size // dtype.itemsize, at).reshape(shape)
        at += size
    return tensors


def read_filters():
    """The mel filters that OpenAI publishes beside its code."""
    with tarfile.open(SDIST) as sources:
        member = next(each for each in sources if each.name.endswith('/assets/mel_filters.npz'))
        arrays = numpy.load(io.BytesIO(sources.extractfile(member).read()))
    # One of its zeros is negative, which whisper.cpp's are not.
    filters = arrays['mel_80'].astype(numpy.float32) + numpy.float32(0)
    return struct.pack('<2i', *filters.shape) + filters.tobytes()


def read_vocabulary():
    """The bytes of each token: GPT-2 writes each byte as a letter that can be printed."""
    path = next(os.path.join(MODEL, name) for name in sorted(os.listdir(MODEL)) if name.startswith('vocabulary.'))
    with open(path, encoding='utf-8') as file:
        text = file.read()
    tokens = json.loads(text) if text.startswith('[') else text.split('\n')
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    byte_of = {chr(byte): byte for byte in plain} | {chr(256 + index): byte for index, byte in enumerate(others)}
    words = [token.encode() if token.startswith('<|') else bytes(byte_of[letter] for letter in token)
             for token in tokens[:TEXT_TOKENS]]
    return struct.pack('<i', TEXT_TOKENS) + b''.join(struct.pack('<I', len(word)) + word for word in words)


def in_order(tensors, layers, width):
    """(Name, array) of each tensor, under OpenAI's names and in the order of its checkpoints."""
    def norm(name, key):
        yield name + '.weight', tensors[key + '/gamma']
        yield name + '.bias', tensors[key + '/beta']

    def linear(name, key):
        yield name + '.weight', tensors[key + '/weight']
        yield name + '.bias', tensors[key + '/bias']

    def attention(name, key, is_crossed):
        weight, bias = tensors[key + '/linear_0/weight'], tensors[key + '/linear_0/bias']
        query, query_bias = weight[:width], bias[:width]
        if is_crossed:
            rest, rest_bias = tensors[key + '/linear_1/weight'], tensors[key + '/linear_1/bias']
        else:
            rest, rest_bias = weight[width:], bias[width:]
        yield name + '.query.weight', query
        yield name + '.query.bias', query_bias
        yield name + '.key.weight', rest[:width]
        yield name + '.value.weight', rest[width:]
        yield name + '.value.bias', rest_bias[width:]
        yield from linear(name + '.out', key + ('/linear_2' if is_crossed else '/linear_1'))

    def blocks(side):
        for index in range(layers):
            name, key = f'{side}.blocks.{index}', f'{side}/layer_{index}'
            yield from norm(name + '.mlp_ln', key + '/ffn/layer_norm')
            yield from linear(name + '.mlp.0', key + '/ffn/linear_0')
            yield from linear(name + '.mlp.2', key + '/ffn/linear_1')
            yield from norm(name + '.attn_ln', key + '/self_attention/layer_norm')
            yield from attention(name + '.attn', key + '/self_attention', False)
            if side == 'decoder':
                yield from norm(name + '.cross_attn_ln', key + '/attention/layer_norm')
                yield from attention(name + '.cross_attn', key + '/attention', True)

    yield 'decoder.positional_embedding', tensors['decoder/position_encodings/encodings']
    yield 'encoder.positional_embedding', tensors['encoder/position_encodings/encodings']
    yield 'decoder.token_embedding.weight', tensors['decoder/embeddings/weight']
    yield from blocks('decoder')
    yield from norm('decoder.ln', 'decoder/layer_norm')
    for name in ('conv1', 'conv2'):
        yield f'encoder.{name}.weight', tensors[f'encoder/{name}/weight']
        yield f'encoder.{name}.bias', tensors[f'encoder/{name}/bias'].reshape(-1, 1)
    yield from blocks('encoder')
    yield from norm('encoder.ln_post', 'encoder/layer_norm')


def format_tensor(name, array):
    is_half = array.ndim > 1 and not name.endswith(('positional_embedding', 'conv1.bias', 'conv2.bias'))
    title = name.encode()
    head = struct.pack('<3i', array.ndim, len(title), is_half) + struct.pack(f'<{array.ndim}i', *reversed(array.shape))
    return head + title + array.astype(numpy.float16 if is_half else numpy.float32).tobytes()


def main():
    with open(os.path.join(MODEL, 'model.bin'), 'rb') as file:
        tensors = read_tensors(file.read())
    rows, width = tensors['decoder/embeddings/weight'].shape
    layers = sum(name.startswith('encoder/layer_') and name.endswith('/ffn/linear_0/weight') for name in tensors)
    heads = width // HEAD_WIDTH
    sizes = (rows, AUDIO_CONTEXT, width, heads, layers, TEXT_CONTEXT, width, heads, layers, MELS, HALF_PRECISION)
    digest = hashlib.sha256(struct.pack('<12i', 0x67676d6c, *sizes) + read_filters() + read_vocabulary())
    for name, array in in_order(tensors, layers, width):
        digest.update(format_tensor(name, array))
    print(digest.hexdigest())


main()

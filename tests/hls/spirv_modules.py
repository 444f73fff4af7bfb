#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Valid SPIR-V of versions 1.0 to 1.4: each instruction of the Kernel model builds among random others, or is refused
by its name; those that heddlec writes out in terms of others (hls/il_rewrite.c) have the values of the text. spirv-as and
spirv-val (spirv-tools) make and judge the modules. SEED=N in the environment: other modules."""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import command, expect, expect_in, test

PER_MODULE = 32
# What every case may use: types %u %u64 %f ... and constants, the arguments %p %q %x %y %p4 of the kernel, variables
# %va %vd %vs %vn, and values of each type (%xb %xv %yv %xs %x8 %x16 %xl %yh).
MODULE = """OpCapability Addresses
OpCapability Kernel
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Vector16
OpCapability Linkage
OpCapability GenericPointer
OpCapability Groups
OpCapability SubgroupDispatch
{capabilities}
%e = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical32 OpenCL
OpEntryPoint Kernel %k "k" %wv %id{interface}
{decorations}
OpDecorate %id BuiltIn GlobalInvocationId
%u8 = OpTypeInt 8 0
%u16 = OpTypeInt 16 0
%u = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f = OpTypeFloat 32
%h = OpTypeFloat 16
%b = OpTypeBool
%v = OpTypeVoid
%ev = OpTypeEvent
%u2 = OpTypeVector %u 2
%u3 = OpTypeVector %u 3
%u4 = OpTypeVector %u 4
%f4 = OpTypeVector %f 4
%b4 = OpTypeVector %b 4
%s1 = OpTypeStruct %u %f
%s2 = OpTypeStruct %u %f
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%c3 = OpConstant %u 3
%c4 = OpConstant %u 4
%c8 = OpConstant %u 8
%c16 = OpConstant %u 16
%cl = OpConstant %u64 9
%fc = OpConstant %f 1.5
%a4 = OpTypeArray %u %c4
%n1 = OpTypeStruct %a4 %s1 %u4
%n2 = OpTypeStruct %a4 %s2 %u4
%uu = OpTypeStruct %u %u
%ct = OpConstantTrue %b
%cs = OpConstantComposite %s1 %c3 %fc
%cv = OpConstantComposite %u4 %c1 %c2 %c3 %c4
%cf4 = OpConstantComposite %f4 %fc %fc %fc %fc
%ca = OpConstantComposite %a4 %c1 %c2 %c3 %c4
%cn = OpConstantComposite %n1 %ca %cs %cv
%pg = OpTypePointer CrossWorkgroup %u
%pgf = OpTypePointer CrossWorkgroup %f
%pw = OpTypePointer Workgroup %u
%pf = OpTypePointer Function %u
%pf8 = OpTypePointer Function %u8
%pgen = OpTypePointer Generic %u
%ps1 = OpTypePointer Function %s1
%ps2 = OpTypePointer Function %s2
%pn1 = OpTypePointer Function %n1
%pa4 = OpTypePointer Function %a4
%pu4 = OpTypePointer CrossWorkgroup %u4
%pi3 = OpTypePointer Input %u3
%piu = OpTypePointer Input %u
{globals}
%id = OpVariable %pi3 Input
%wv = OpVariable %pw Workgroup
%t = OpTypeFunction %v %pg %pgf %u %f %pu4
%k = OpFunction %v None %t
%p = OpFunctionParameter %pg
%q = OpFunctionParameter %pgf
%x = OpFunctionParameter %u
%y = OpFunctionParameter %f
%p4 = OpFunctionParameter %pu4
%l = OpLabel
%va = OpVariable %pf Function
%vd = OpVariable %pf Function
%vs = OpVariable %ps1 Function
%vs2 = OpVariable %ps1 Function
%vn = OpVariable %pn1 Function
%vn2 = OpVariable %pn1 Function
%xb = OpUGreaterThan %b %x %c3
%xv = OpCompositeConstruct %u4 %x %c1 %x %c2
%yv = OpCompositeConstruct %f4 %y %y %y %fc
%xs = OpCompositeConstruct %s1 %x %y
%x8 = OpUConvert %u8 %x
%x16 = OpUConvert %u16 %x
%xl = OpUConvert %u64 %x
%yh = OpFConvert %h %y
OpStore %va %x
OpStore %vd %c2
OpStore %vs %xs
{body}
OpReturn
OpFunctionEnd
{functions}
"""


class Case:
    def __init__(self, name, body, capabilities="", decorations="", globals="", functions=""):
        self.name, self.body, self.capabilities, self.decorations = name, body, capabilities, decorations
        self.globals, self.functions = globals, functions

    def numbered(self, number):
        """The same with ids of its own."""
        parts = (self.body, self.decorations, self.globals, self.functions)
        own = {i for part in parts for i in re.findall(r"(%\w+) = ", part)}
        body = self.body
        if "OpLabel" in body:  # control flow begins in a block whose label it knows
            body = "OpBranch %l\n%l = OpLabel\n" + body
            own.add("%l")
        renamed = [re.sub(r"%\w+", lambda m: m.group() + f"_{number}" if m.group() in own else m.group(), part)
                   for part in (body, *parts[1:])]
        return Case(self.name, renamed[0], self.capabilities, *renamed[1:])


CASES = []


def case(name, body, **parts):
    CASES.append(Case(name, body, **parts))


STORES = {"%u": "OpStore %p %r", "%f": "OpStore %q %r", "%u4": "OpStore %p4 %r",
          "%b": "%r2 = OpSelect %u %r %c1 %c2\nOpStore %p %r2", "%h": "%r2 = OpFConvert %f %r\nOpStore %q %r2",
          "%f4": "%r2 = OpCompositeExtract %f %r 1\nOpStore %q %r2",
          "%s2": "%r2 = OpCompositeExtract %u %r 0\nOpStore %p %r2"}


def value(opcode, type="%u", operands="%x %c3", **parts):
    """An instruction with a result, which is stored so that it stays."""
    store = STORES.get(type, "%r2 = OpUConvert %u %r\nOpStore %p %r2")
    case(f"{opcode} {type} {operands}", f"%r = {opcode} {type} {operands}\n{store}", **parts)


case('nothing', '')
case('OpNop', 'OpNop')
case('OpUndef', '%r = OpUndef %u\nOpStore %p %r')
for o in 'OpLoad %u %va|OpLoad %u %va Aligned 4|OpLoad %u %va Volatile|OpCopyObject %u %x'.split('|'):
    case(o, '%r = ' + o + '\nOpStore %p %r')
for o in ['OpStore %va %x', 'OpStore %va %x Volatile|Aligned 4', 'OpCopyMemory %va %vd',
     'OpCopyMemory %va %vd Aligned 4', 'OpCopyMemory %va %vd Volatile', 'OpCopyMemory %va %vd Aligned 4 Aligned 4',
     'OpCopyMemory %vs2 %vs', 'OpCopyMemory %vn2 %vn', 'OpCopyMemory %p %va', 'OpCopyMemorySized %va %vd %c4',
     'OpCopyMemorySized %va %vd %c4 Aligned 4', 'OpCopyMemorySized %va %vd %x']:
    case(o, o)
value('OpCopyLogical', '%s2', '%cs')
case('OpCopyLogical nested', '%r = OpCopyLogical %n2 %cn\n%r2 = OpCompositeExtract %u %r 0 2\nOpStore %p %r2')
for o in ('OpPtrEqual', 'OpPtrNotEqual'):
    value(o, '%b', '%va %vd')
    value(o, '%b', '%p %p')
value('OpPtrDiff', '%u', '%va %vd')
value('OpPtrDiff', '%u64', '%p %p')
value('OpPtrDiff', '%u', '%vs %vs2')
case('OpDecorateString', 'OpStore %p %x', decorations='OpDecorateString %x UserSemantic "mine"')
case('OpMemberDecorateString', 'OpStore %p %x', decorations='OpMemberDecorateString %s1 0 UserSemantic "mine"')
case('OpSelect struct', '%r = OpSelect %s1 %xb %xs %cs\n%r2 = OpCompositeExtract %u %r 0\nOpStore %p %r2')
for b in ['OpIAdd', 'OpISub', 'OpIMul', 'OpUDiv', 'OpSDiv', 'OpUMod', 'OpSRem', 'OpSMod', 'OpShiftRightLogical',
     'OpShiftRightArithmetic', 'OpShiftLeftLogical', 'OpBitwiseOr', 'OpBitwiseXor', 'OpBitwiseAnd']:
    value(b)
    value(b, '%u4', '%xv %cv')
    value(b, '%u64', '%xl %cl')
    value(b, '%u8', '%x8 %x8')
    value(b, '%u16', '%x16 %x16')
for b in ['OpFAdd', 'OpFSub', 'OpFMul', 'OpFDiv', 'OpFRem', 'OpFMod']:
    value(b, '%f', '%y %fc')
    value(b, '%f4', '%yv %cf4')
    value(b, '%h', '%yh %yh')
for b in ['OpSNegate', 'OpNot', 'OpBitCount']:
    value(b, '%u', '%x')
    value(b, '%u4', '%xv')
value('OpFNegate', '%f', '%y')
value('OpVectorTimesScalar', '%f4', '%yv %y')
value('OpDot', '%f', '%yv %cf4')
case('OpDot 16', '%r = OpDot %f %n16 %n16\nOpStore %q %r',
     globals='%f16 = OpTypeVector %f 16\n%n16 = OpConstantNull %f16')
for b in ['OpIAddCarry', 'OpISubBorrow', 'OpUMulExtended', 'OpSMulExtended']:
    case(b, '%r = ' + b + ' %uu %x %c3\n%r2 = OpCompositeExtract %u %r 1\nOpStore %p %r2')
for b in ['OpIEqual', 'OpINotEqual', 'OpUGreaterThan', 'OpSGreaterThan', 'OpUGreaterThanEqual',
     'OpSGreaterThanEqual', 'OpULessThan', 'OpSLessThan', 'OpULessThanEqual', 'OpSLessThanEqual']:
    value(b, '%b')
for b in ['OpFOrdEqual', 'OpFUnordEqual', 'OpFOrdNotEqual', 'OpFUnordNotEqual', 'OpFOrdLessThan', 'OpFUnordLessThan',
     'OpFOrdGreaterThan', 'OpFUnordGreaterThan', 'OpFOrdLessThanEqual', 'OpFUnordLessThanEqual',
     'OpFOrdGreaterThanEqual', 'OpFUnordGreaterThanEqual', 'OpLessOrGreater', 'OpOrdered', 'OpUnordered']:
    value(b, '%b', '%y %fc')
    case(b + ' vec', '%r = ' + b + ' %b4 %yv %cf4\n%r2 = OpSelect %u4 %r %xv %cv\nOpStore %p4 %r2')
for b in ['OpIsNan', 'OpIsInf', 'OpIsFinite', 'OpIsNormal', 'OpSignBitSet']:
    value(b, '%b', '%y')
    case(b + ' vec', '%r = ' + b + ' %b4 %yv\n%r2 = OpSelect %u4 %r %xv %cv\nOpStore %p4 %r2')
    value(b, '%b', '%yh')
case('OpAny', '%r1 = OpIEqual %b4 %xv %cv\n%r = OpAny %b %r1\n%r2 = OpSelect %u %r %c1 %c2\nOpStore %p %r2')
case('OpAll', '%r1 = OpIEqual %b4 %xv %cv\n%r = OpAll %b %r1\n%r2 = OpSelect %u %r %c1 %c2\nOpStore %p %r2')
for b in ['OpLogicalEqual', 'OpLogicalNotEqual', 'OpLogicalOr', 'OpLogicalAnd']:
    value(b, '%b', '%xb %ct')
value('OpLogicalNot', '%b', '%xb')
value('OpSelect', '%u', '%xb %x %c1')
value('OpSelect', '%u4', '%xb %xv %cv')
value('OpConvertFToU', '%u', '%y')
value('OpConvertFToS', '%u', '%y')
value('OpConvertFToU', '%u8', '%y')
value('OpConvertSToF', '%f', '%x')
value('OpConvertUToF', '%f', '%x')
value('OpUConvert', '%u64', '%x')
value('OpSConvert', '%u64', '%x')
value('OpFConvert', '%h', '%y')
value('OpConvertPtrToU', '%u', '%p')
value('OpConvertPtrToU', '%u64', '%p')
value('OpSatConvertSToU', '%u8', '%x')
value('OpSatConvertUToS', '%u8', '%x')
value('OpSatConvertSToU', '%u', '%x')
case('OpConvertUToPtr', '%r = OpConvertUToPtr %pg %x\nOpStore %r %x')
value('OpBitcast', '%f', '%x')
value('OpBitcast', '%u', '%y')
case('OpPtrCastToGeneric', '%r = OpPtrCastToGeneric %pgen %p\nOpStore %r %x')
case('OpGenericCastToPtr', '%r = OpPtrCastToGeneric %pgen %p\n%r2 = OpGenericCastToPtr %pg %r\nOpStore %r2 %x')
case('OpGenericCastToPtrExplicit',
     '%r = OpPtrCastToGeneric %pgen %p\n%r2 = OpGenericCastToPtrExplicit %pg %r CrossWorkgroup\nOpStore %r2 %x')
case('OpAccessChain', '%r = OpAccessChain %pf %vs %c0\nOpStore %r %x')
case('OpInBoundsAccessChain', '%r = OpInBoundsAccessChain %pf %vs %c0\nOpStore %r %x')
case('OpPtrAccessChain', '%r = OpPtrAccessChain %pg %p %x\nOpStore %r %x')
case('OpInBoundsPtrAccessChain', '%r = OpInBoundsPtrAccessChain %pg %p %x\nOpStore %r %x')
value('OpVectorExtractDynamic', '%u', '%xv %x')
value('OpVectorInsertDynamic', '%u4', '%xv %x %c2')
value('OpVectorShuffle', '%u4', '%xv %cv 0 5 3 7')
value('OpVectorShuffle', '%u4', '%xv %cv 0 5 3 0xffffffff')
value('OpCompositeExtract', '%u', '%xv 2')
value('OpCompositeInsert', '%u4', '%x %cv 2')
case('OpCompositeInsert struct', '%r = OpCompositeInsert %s1 %x %cs 0\nOpStore %vs %r')
case('OpCompositeConstruct vec of vec',
     '%r1 = OpCompositeConstruct %u2 %x %x\n%r = OpCompositeConstruct %u4 %r1 %x %x\nOpStore %p4 %r')
case('OpCompositeConstruct array',
     '%r = OpCompositeConstruct %a4 %x %x %x %x\n%r2 = OpCompositeExtract %u %r 2\nOpStore %p %r2')
case('OpCompositeConstruct nested',
     '%r0 = OpCompositeConstruct %a4 %x %x %x %x\n%r = OpCompositeConstruct %n1 %r0 %xs %xv\n'
     '%r2 = OpCompositeExtract %u %r 2 1\nOpStore %p %r2\nOpStore %vn %r')
for b in ['OpAtomicExchange', 'OpAtomicIAdd', 'OpAtomicISub', 'OpAtomicSMin', 'OpAtomicUMin', 'OpAtomicSMax',
     'OpAtomicUMax', 'OpAtomicAnd', 'OpAtomicOr', 'OpAtomicXor']:
    value(b, '%u', '%p %c1 %c16 %x')
value('OpAtomicLoad', '%u', '%p %c1 %c2')
case('OpAtomicStore', 'OpAtomicStore %p %c1 %c4 %x')
value('OpAtomicIIncrement', '%u', '%p %c1 %c8')
value('OpAtomicIDecrement', '%u', '%p %c1 %c8')
value('OpAtomicCompareExchange', '%u', '%p %c1 %c8 %c2 %x %c3')
value('OpAtomicFlagTestAndSet', '%b', '%p %c1 %c8')
case('OpAtomicFlagClear', 'OpAtomicFlagClear %p %c1 %c4')
value('OpAtomicExchange', '%f', '%q %c1 %c8 %y')
value('OpAtomicLoad', '%f', '%q %c1 %c2')
case('OpControlBarrier', 'OpControlBarrier %c2 %c2 %cmem', globals='%cmem = OpConstant %u 272')
case('OpMemoryBarrier', 'OpMemoryBarrier %c2 %cmem', globals='%cmem = OpConstant %u 272')
case('OpControlBarrier sub', 'OpControlBarrier %c3 %c3 %cmem', globals='%cmem = OpConstant %u 272')
for s in ('%c2', '%c3'):
    value('OpGroupAll', '%b', s + ' %xb')
    value('OpGroupAny', '%b', s + ' %xb')
    value('OpGroupBroadcast', '%u', s + ' %x %c0')
    for b in ['OpGroupIAdd', 'OpGroupUMin', 'OpGroupSMin', 'OpGroupUMax', 'OpGroupSMax']:
        for g in ('Reduce', 'InclusiveScan', 'ExclusiveScan'):
            value(b, '%u', s + ' ' + g + ' %x')
    for b in ['OpGroupFAdd', 'OpGroupFMin', 'OpGroupFMax']:
        value(b, '%f', s + ' Reduce %y')
case('OpLifetime', 'OpLifetimeStart %va 0\nOpLifetimeStop %va 0')
case('OpModuleProcessed', '', decorations='OpModuleProcessed "mine"')
case('branches',
     'OpSelectionMerge %m None\nOpBranchConditional %xb %ma %m\n%ma = OpLabel\nOpBranch %m\n%m = OpLabel\n'
     '%r = OpPhi %u %x %l %c2 %ma\nOpStore %p %r')
case('switch',
     'OpSwitch %x %m 1 %ma 2 %mb\n%ma = OpLabel\nOpStore %p %c1\nOpBranch %m\n%mb = OpLabel\nOpBranch %m\n'
     '%m = OpLabel')
case('loop',
     'OpBranch %lh\n%lh = OpLabel\n%i = OpPhi %u %c0 %l %i2 %lh\n%i2 = OpIAdd %u %i %c1\n'
     '%lc = OpULessThan %b %i2 %x\nOpLoopMerge %le %lh Unroll\nOpBranchConditional %lc %lh %le\n%le = OpLabel\n'
     'OpStore %p %i2')
for c in ['MinIterations 4', 'MaxIterations 4', 'IterationMultiple 2', 'PeelCount 1', 'PartialCount 2', 'DontUnroll',
     'DependencyInfinite', 'DependencyLength 4']:
    case('loop ' + c,
         'OpBranch %lh\n%lh = OpLabel\n%i = OpPhi %u %c0 %l %i2 %lh\n%i2 = OpIAdd %u %i %c1\n'
         '%lc = OpULessThan %b %i2 %x\nOpLoopMerge %le %lh ' + c + '\nOpBranchConditional %lc %lh %le\n'
         '%le = OpLabel\nOpStore %p %i2')
case('unreachable',
     'OpSelectionMerge %m None\nOpBranchConditional %xb %ma %m\n%ma = OpLabel\nOpUnreachable\n%m = OpLabel')
case('call', '%r = OpFunctionCall %u %fn %x\nOpStore %p %r', globals='%ft = OpTypeFunction %u %u',
     functions='%fn = OpFunction %u None %ft\n%fx = OpFunctionParameter %u\n%fl = OpLabel\nOpReturnValue %fx\n'
     'OpFunctionEnd')
for o in ['IAdd', 'ISub', 'IMul', 'UDiv', 'SDiv', 'UMod', 'SRem', 'SMod', 'ShiftLeftLogical', 'BitwiseAnd',
     'ShiftRightLogical', 'ShiftRightArithmetic', 'BitwiseOr', 'BitwiseXor']:
    case('SpecConstantOp ' + o, 'OpStore %p %sc',
         globals=f'%sp = OpSpecConstant %u 7\n%sc = OpSpecConstantOp %u {o} %sp %c3')
for o in ['IEqual', 'ULessThan', 'SGreaterThan']:
    case('SpecConstantOp ' + o, '%r = OpSelect %u %sc %c1 %c2\nOpStore %p %r',
         globals=f'%sp = OpSpecConstant %u 7\n%sc = OpSpecConstantOp %b {o} %sp %c3')
case('SpecConstantOp Select', 'OpStore %p %sc',
     globals=f'%sp = OpSpecConstant %u 7\n%sb = OpSpecConstantTrue %b\n%sc = OpSpecConstantOp %u Select %sb %sp %c3')
case('SpecConstantOp Not', 'OpStore %p %sc', globals=f'%sp = OpSpecConstant %u 7\n%sc = OpSpecConstantOp %u Not %sp')
case('SpecConstantOp SNegate', 'OpStore %p %sc',
     globals=f'%sp = OpSpecConstant %u 7\n%sc = OpSpecConstantOp %u SNegate %sp')
case('SpecConstantOp UConvert', 'OpStore %p %x',
     globals=f'%sp = OpSpecConstant %u 7\n%sc = OpSpecConstantOp %u64 UConvert %sp')
case('SpecConstantComposite', 'OpStore %p4 %sc',
     globals='%sp = OpSpecConstant %u 7\n%sc = OpSpecConstantComposite %u4 %sp %c1 %c2 %sp')
case('SpecConstantOp extract', 'OpStore %p %sd',
     globals='%sp = OpSpecConstant %u 7\n%sc = OpSpecConstantComposite %u4 %sp %c1 %c2 %sp\n'
     '%sd = OpSpecConstantOp %u CompositeExtract %sc 0')
for ty in '%u %u4 %f %s1 %a4 %b %pg'.split():
    case('ConstantNull ' + ty, '', globals='%cnn = OpConstantNull ' + ty)
NU = {'GroupNonUniform': ['OpGroupNonUniformElect %b %c3'],
     'GroupNonUniformVote': ['OpGroupNonUniformAll %b %c3 %xb', 'OpGroupNonUniformAny %b %c3 %xb',
     'OpGroupNonUniformAllEqual %b %c3 %x'], 'GroupNonUniformBallot': ['OpGroupNonUniformBroadcast %u %c3 %x %c0',
     'OpGroupNonUniformBroadcastFirst %u %c3 %x', 'OpGroupNonUniformBallot %u4 %c3 %xb',
     'OpGroupNonUniformInverseBallot %b %c3 %xv', 'OpGroupNonUniformBallotBitExtract %b %c3 %xv %x',
     'OpGroupNonUniformBallotBitCount %u %c3 Reduce %xv', 'OpGroupNonUniformBallotFindLSB %u %c3 %xv',
     'OpGroupNonUniformBallotFindMSB %u %c3 %xv'],
     'GroupNonUniformShuffle': ['OpGroupNonUniformShuffle %u %c3 %x %c1',
     'OpGroupNonUniformShuffleXor %u %c3 %x %c1'],
     'GroupNonUniformShuffleRelative': ['OpGroupNonUniformShuffleUp %u %c3 %x %c1',
     'OpGroupNonUniformShuffleDown %u %c3 %x %c1'],
     'GroupNonUniformArithmetic': ['OpGroupNonUniformIAdd %u %c3 Reduce %x',
     'OpGroupNonUniformFAdd %f %c3 Reduce %y', 'OpGroupNonUniformIMul %u %c3 Reduce %x',
     'OpGroupNonUniformFMul %f %c3 Reduce %y', 'OpGroupNonUniformSMin %u %c3 Reduce %x',
     'OpGroupNonUniformUMin %u %c3 Reduce %x', 'OpGroupNonUniformFMin %f %c3 Reduce %y',
     'OpGroupNonUniformSMax %u %c3 Reduce %x', 'OpGroupNonUniformUMax %u %c3 Reduce %x',
     'OpGroupNonUniformFMax %f %c3 Reduce %y', 'OpGroupNonUniformBitwiseAnd %u %c3 InclusiveScan %x',
     'OpGroupNonUniformBitwiseOr %u %c3 Reduce %x', 'OpGroupNonUniformBitwiseXor %u %c3 Reduce %x',
     'OpGroupNonUniformLogicalAnd %b %c3 Reduce %xb', 'OpGroupNonUniformLogicalOr %b %c3 Reduce %xb',
     'OpGroupNonUniformLogicalXor %b %c3 Reduce %xb'],
     'GroupNonUniformClustered': ['OpGroupNonUniformIAdd %u %c3 ClusteredReduce %x %c4']}
for c, l in NU.items():
    for i in l:
        case(i, '%r = ' + i + ('\n%r2 = OpSelect %u %r %c1 %c2\nOpStore %p %r2' if ' %b ' in i else ''),
             capabilities='OpCapability GroupNonUniform\n' + ('' if c == 'GroupNonUniform' else 'OpCapability ' + c))
case('OpCompositeExtract deep', '%r = OpCompositeExtract %u %cn 2 1\nOpStore %p %r')
case('OpCompositeInsert deep',
     '%r = OpCompositeInsert %n1 %x %cn 2 1\nOpStore %vn %r\n%r3 = OpCompositeInsert %n1 %x %cn 0 1\n'
     '%r2 = OpCompositeExtract %u %r3 0 1\nOpStore %p %r2')
case('OpCopyMemory large', 'OpCopyMemory %vb %vb2',
     globals='%c99 = OpConstant %u 99\n%a99 = OpTypeArray %u %c99\n%pb = OpTypePointer Workgroup %a99\n'
     '%vb = OpVariable %pb Workgroup\n%vb2 = OpVariable %pb Workgroup')
for f in ('fmax_common', 'fmin_common'):
    case(f, f'%r = OpExtInst %f %e {f} %y %fc\nOpStore %q %r')
    case(f + ' vec', f'%r = OpExtInst %f4 %e {f} %yv %cf4\n%r2 = OpCompositeExtract %f %r 1\nOpStore %q %r2')
for t in ('%f %fc', '%f4 %cf4'):
    case('SpecConstantOp FNegate ' + t, '', globals='%sc = OpSpecConstantOp ' + t.replace(' ', ' FNegate '))
for o in ('OpAccessChain', 'OpInBoundsAccessChain'):
    for i in ('%c1', '%x', '%cl'):
        case(f'{o} of a built-in variable {i}', f'%i = {o} %piu %id {i}\n%r = OpLoad %u %i Aligned 4\nOpStore %p %r')
case('OpCopyMemory from a built-in variable', '%i = OpAccessChain %piu %id %c1\nOpCopyMemory %va %i')


# Valid, and for devices that offer what ours do not.
REFUSED = {
    "OpSizeOf": "%r = OpSizeOf %u %va", "OpQuantizeToF16": "%r = OpQuantizeToF16 %f %y",
    "OpGenericPtrMemSemantics": "%g = OpPtrCastToGeneric %pgen %p\n%r = OpGenericPtrMemSemantics %u %g",
    "OpGroupNonUniformQuadBroadcast": "%r = OpGroupNonUniformQuadBroadcast %u %c3 %x %c0",
    "OpGroupNonUniformQuadSwap": "%r = OpGroupNonUniformQuadSwap %u %c3 %x %c0",
}
# The arguments of the kernel with values: what they leave at %p, by the text of SPIR-V. x is 7.
VALUES = [
    ("OpCopyMemory %va %vd\n%r = OpLoad %u %va", 2),
    ("OpCopyMemory %va %vd Aligned 4 Volatile|Aligned 4\n%r = OpLoad %u %va", 2),
    ("OpCopyMemory %vs2 %vs\n%a = OpAccessChain %pf %vs2 %c0\n%r = OpLoad %u %a", 7),
    ("OpStore %vn %cn\nOpCopyMemory %vn2 %vn\n%a = OpAccessChain %pf %vn2 %c2 %c3\n%r = OpLoad %u %a", 4),
    ("OpCopyMemorySized %va %vd %c4\n%r = OpLoad %u %va", 2),
    ("%n = OpCopyLogical %n2 %cn\n%r = OpCompositeExtract %u %n 0 3", 4),
    ("%n = OpCopyLogical %n2 %cn\n%r = OpCompositeExtract %u %n 1 0", 3),
    ("%b1 = OpPtrEqual %b %p %p\n%r = OpSelect %u %b1 %c1 %c2", 1),
    ("%b1 = OpPtrEqual %b %va %vd\n%r = OpSelect %u %b1 %c1 %c2", 2),
    ("%b1 = OpPtrNotEqual %b %va %vd\n%r = OpSelect %u %b1 %c1 %c2", 1),
    ("%a = OpPtrAccessChain %pg %p %c3\n%r = OpPtrDiff %u %a %p", 3),
    ("%a = OpPtrAccessChain %pg %p %c3\n%d = OpPtrDiff %u64 %p %a\n%r = OpUConvert %u %d", 2**32 - 3),
    ("%a = OpPtrAccessChain %pu4 %p4 %c3\n%r = OpPtrDiff %u %a %p4", 3),
    ("%s = OpIAddCarry %uu %x %all\n%r = OpCompositeExtract %u %s 1", 1),
    ("%s = OpIAddCarry %uu %x %all\n%r = OpCompositeExtract %u %s 0", 6),
    ("%s = OpIAddCarry %uu %x %c3\n%r = OpCompositeExtract %u %s 1", 0),
    ("%s = OpISubBorrow %uu %x %c8\n%r = OpCompositeExtract %u %s 1", 1),
    ("%s = OpISubBorrow %uu %x %c3\n%r = OpCompositeExtract %u %s 1", 0),
    ("%s = OpUMulExtended %uu %x %all\n%r = OpCompositeExtract %u %s 1", 6),
    ("%s = OpSMulExtended %uu %x %all\n%r = OpCompositeExtract %u %s 1", 2**32 - 1),
    ("%s = OpSMulExtended %uu %x %all\n%r = OpCompositeExtract %u %s 0", 2**32 - 7),
    ("%f1 = OpConvertUToF %f %x\n%f2 = OpFRem %f %f1 %fc\n%r = OpBitcast %u %f2", 0x3F800000),
    ("%f1 = OpConvertUToF %f %x\n%f3 = OpFNegate %f %f1\n%f2 = OpFMod %f %f3 %fc\n%r = OpBitcast %u %f2", 0x3F000000),
    ("%f1 = OpConvertUToF %f %x\n%f3 = OpFNegate %f %f1\n%f2 = OpFRem %f %f3 %fc\n%r = OpBitcast %u %f2", 0xBF800000),
    ("%i = OpCompositeInsert %n1 %x %cn 2 1\n%r = OpCompositeExtract %u %i 2 1", 7),
    ("%i = OpCompositeInsert %n1 %x %cn 2 1\n%r = OpCompositeExtract %u %i 2 2", 3),
    ("%t2 = OpCompositeConstruct %u2 %x %c8\n%t4 = OpCompositeConstruct %u4 %c1 %t2 %c3\n"
     "%r = OpCompositeExtract %u %t4 2", 8),
    ("%s = OpSelect %s1 %xb %cs %xs\n%r = OpCompositeExtract %u %s 0", 3),
    ("%n = OpIAdd %u %x %all\n%n2a = OpIMul %u %n %c8\n%r = OpShiftLeftLogical %u %c3 %n2a", 3 << 16),
    ("%z = OpISub %u %x %x\n%q1 = OpUDiv %u %x %z\n%b1 = OpIEqual %b %z %c0\n%r = OpSelect %u %b1 %c1 %c2", 1),
    # Two ways from one block to another, which an OpPhi names once.
    ("OpBranch %l0\n%l0 = OpLabel\nOpSwitch %x %l1 7 %l2 8 %l2 9 %l1\n%l1 = OpLabel\nOpBranch %l2\n%l2 = OpLabel\n"
     "%r = OpPhi %u %c3 %l0 %c4 %l1", 3),
    ("OpBranch %l0\n%l0 = OpLabel\nOpSwitch %x %l1 6 %l2 8 %l2 9 %l1\n%l1 = OpLabel\nOpBranch %l2\n%l2 = OpLabel\n"
     "%r = OpPhi %u %c3 %l0 %c4 %l1", 4),
    ("OpBranch %l0\n%l0 = OpLabel\nOpSwitch %xl %l1 9 %l1 7 %l1\n%l1 = OpLabel\n%r = OpPhi %u %x %l0", 7),
    ("OpBranch %l0\n%l0 = OpLabel\nOpBranchConditional %xb %l1 %l1\n%l1 = OpLabel\n%r = OpPhi %u %c8 %l0", 8),
    ("%z = OpISub %u %x %x\n%q1 = OpSRem %u %x %z\n%b1 = OpIEqual %b %z %c0\n%r = OpSelect %u %b1 %c1 %c2", 1),
    ("%f1 = OpConvertUToF %f %x\n%f2 = OpExtInst %f %e fmax_common %f1 %fc\n%r = OpBitcast %u %f2", 0x40E00000),
    ("%f1 = OpConvertUToF %f %x\n%f2 = OpExtInst %f %e fmin_common %f1 %fc\n%r = OpBitcast %u %f2", 0x3FC00000),
    # Eight and sixteen times 7 * 1.5.
    ("%f1 = OpConvertUToF %f %x\n%v1 = OpCompositeConstruct %f8 %f1 %f1 %f1 %f1 %f1 %f1 %f1 %f1\n"
     "%d = OpDot %f %v1 %cf8\n%r = OpConvertFToU %u %d", 84,
     "%f8 = OpTypeVector %f 8\n%cf8 = OpConstantComposite %f8 %fc %fc %fc %fc %fc %fc %fc %fc"),
    ("%h1 = OpConvertUToF %h %x\n%v0 = OpUndef %h16\n%v1 = OpCompositeInsert %h16 %h1 %v0 0\n"
     "%v2 = OpVectorShuffle %h16 %v1 %v1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n%d = OpDot %h %v2 %v2\n"
     "%r = OpConvertFToU %u %d", 784, "%h16 = OpTypeVector %h 16"),
    ("%r = OpBitcast %u %sc", 0xBFC00000, "%sc = OpSpecConstantOp %f FNegate %fc"),
    ("%r = OpBitcast %u %sc", 0x80000000, "%sp = OpSpecConstant %f 0\n%sc = OpSpecConstantOp %f FNegate %sp"),
    ("%f1 = OpCompositeExtract %f %sc 3\n%r = OpBitcast %u %f1", 0xBFC00000,
     "%sc = OpSpecConstantOp %f4 FNegate %cf4"),
    ("%r = OpBitcast %u %sc", 0x3F000000, "%sp = OpSpecConstant %f -7\n%sc = OpSpecConstantOp %f FMod %sp %fc"),
    ("%r = OpBitcast %u %sc", 0xBF000000, "%s = OpSpecConstant %f 7\n%t = OpSpecConstant %f -1.5\n"
     "%sc = OpSpecConstantOp %f FMod %s %t"),
    ("%r1 = OpFConvert %f %sc\n%r = OpBitcast %u %r1", 0x3F000000,
     "%s = OpSpecConstant %h -7\n%t = OpSpecConstant %h 1.5\n%sc = OpSpecConstantOp %h FMod %s %t"),
]
# Elements of built-in variables, at their addresses. The NDRange is 4 x 3 x 2; r is at %p of each work-item's linear id.
ELEMENTS = """%a0 = OpAccessChain %piu %size %c0
%a1 = OpInBoundsAccessChain %piu %size %c1
%a2 = OpAccessChain %piu %size %two
%i0 = OpAccessChain %piu %id %c0
%i1 = OpAccessChain %piu %id %cl1
OpCopyMemory %va %a0
%w0 = OpLoad %u %va
%w1 = OpLoad %u %a1
%w2 = OpLoad %u %a2 Aligned 4
%x0 = OpLoad %u %i0
%x1 = OpLoad %u %i1
%h0 = OpIMul %u %x1 %w0
%place = OpIAdd %u %h0 %x0
%m1 = OpIMul %u %w1 %c10
%m2 = OpIMul %u %w2 %c100
%r0 = OpIAdd %u %w0 %m1
%r = OpIAdd %u %r0 %m2
%at = OpPtrAccessChain %pg %p %place
OpStore %at %r"""


def written(path, text, version="spv1.2", of="", is_checked=True):
    """The path of a module of this text."""
    with open(path + ".spvasm", "w", encoding="ascii") as file:
        file.write(text)
    tools = [["spirv-as", path + ".spvasm", "-o", path + ".spv"], ["spirv-val", path + ".spv"]]
    for tool in tools if is_checked else tools[:1]:
        done = subprocess.run([tool[0], "--target-env", version, *tool[1:]], capture_output=True, text=True)
        expect((0, ""), (done.returncode, done.stderr), tool[0] + of)
    return path + ".spv"


def assembled(folder, name, cases):
    """The path of a module with these cases one after the other, which spirv-val finds valid."""
    parts = {key: "\n".join(dict.fromkeys(line for c in cases for line in getattr(c, key).splitlines() if line))
             for key in ("capabilities", "decorations", "globals", "functions")}
    parts["interface"] = "".join(" " + v for v in re.findall(r"(%\w+) = OpVariable", parts["globals"]))
    text = MODULE.format(body="\n".join(c.body for c in cases), **parts)
    return written(os.path.join(folder, name), text, "spv1.4", f" {name}: {[c.name for c in cases]}")


def compiled(module):
    return command("bin/heddlec", module, "-o", module + ".elf")


@test
def every_instruction_builds_among_random_others():
    seed = int(os.environ.get("SEED", "1"))
    cases = [c.numbered(i) for i, c in enumerate(CASES)]
    random.Random(seed).shuffle(cases)
    with tempfile.TemporaryDirectory() as folder:
        for at in range(0, len(cases), PER_MODULE):
            some = cases[at:at + PER_MODULE]
            status, _, messages = compiled(assembled(folder, f"m{at}", some))
            expect((0, ""), (status, messages), f"SEED={seed}, a module of {[c.name for c in some]}")


@test
def what_is_not_supported_is_refused_by_its_name():
    with tempfile.TemporaryDirectory() as folder:
        for name, body in REFUSED.items():
            capabilities = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformQuad" if "Quad" in name else ""
            status, _, messages = compiled(assembled(folder, name, [Case(name, body, capabilities)]))
            expect(1, status, f"{name}: {messages}")
            expect_in(f"error: {name} ", messages, name)


@test
def what_is_written_out_has_the_values_of_the_text():
    cases = []
    for number, (body, _, *constants) in enumerate(VALUES):
        store = "%at = OpPtrAccessChain %pg %p %place\nOpStore %at %r"
        place = f"%place = OpConstant %u {number}" + ("\n%all = OpConstant %u 4294967295" if "%all" in body else "")
        place = "\n".join([place, *constants])
        # Variables have their first values again.
        body = f"OpStore %va %x\nOpStore %vd %c2\nOpStore %vs %xs\n{body}\n{store}"
        cases.append(Case(body, body, globals=place).numbered(number))
    with tempfile.TemporaryDirectory() as folder:
        module = assembled(folder, "values", cases)
        result = os.path.join(folder, "result")
        status, _, err = command("bin/heddle", "run", module, "-d", "model", "-g", "1", "-q", "-o", f"arg0={result}",
                                 f"zeros({len(VALUES)})", "zeros(1)", "7", "1.0", "zeros(16)")
        expect((0, ""), (status, err), "heddle run")
        with open(result, "rb") as file:
            got = struct.unpack(f"<{len(VALUES)}I", file.read())
        for (body, right, *_), came in zip(VALUES, got, strict=True):
            expect(right, came, body)


@test
def elements_of_built_in_variables_have_addresses():
    case_of_all = Case("elements", ELEMENTS, decorations="OpDecorate %size BuiltIn GlobalSize",
                       globals="%size = OpVariable %pi3 Input\n%c10 = OpConstant %u 10\n%c100 = OpConstant %u 100\n"
                       "%cl1 = OpConstant %u64 1\n%two = OpSpecConstantOp %u IAdd %c1 %c1")
    with tempfile.TemporaryDirectory() as folder:
        module = assembled(folder, "elements", [case_of_all])
        status, out, err = command("bin/heddle", "run", module, "-d", "model", "-g", "4,3,2", "-p", "arg0", "zeros(12)",
                                   "zeros(1)", "7", "1.0", "zeros(16)")
        expect((0, "arg0 = " + " ".join(["234"] * 12) + "\n", ""), (status, out, err), "heddle run")


@test
def a_format_in_constant_memory_is_printed_without_a_decoration():
    text = b"hi %d\n\0"
    constants = "".join(f"%t{byte} = OpConstant %u8 {byte}\n" for byte in sorted(set(text)))
    format_string = (f"{constants}%size = OpConstant %u {len(text)}\n%at = OpTypeArray %u8 %size\n"
                     "%pt = OpTypePointer UniformConstant %at\n%pc = OpTypePointer UniformConstant %u8\n"
                     f"%ct2 = OpConstantComposite %at {' '.join(f'%t{byte}' for byte in text)}\n"
                     "%text = OpVariable %pt UniformConstant %ct2")
    body = "%start = OpBitcast %pc %text\n%printed = OpExtInst %u %e printf %start %x"
    with tempfile.TemporaryDirectory() as folder:
        module = assembled(folder, "printf", [Case("printf", body, globals=format_string)])
        status, out, err = command("bin/heddle", "run", module, "-d", "model", "-g", "1", "-q", "zeros(1)", "zeros(1)",
                                   "42", "1.0", "zeros(4)")
        expect((0, "hi 42\n", ""), (status, out, err), "heddle run")


TWO_KERNELS = """OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical32 OpenCL
OpEntryPoint Kernel %k "k" %id
OpEntryPoint Kernel %k2 "k2" %id2 %id3
OpName %id2 "mine"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %id2 BuiltIn GlobalInvocationId
OpDecorate %id3 BuiltIn GlobalInvocationId
%u = OpTypeInt 32 0
%v = OpTypeVoid
%u3 = OpTypeVector %u 3
%pu3 = OpTypePointer Input %u3
%pu = OpTypePointer Input %u
%pg = OpTypePointer CrossWorkgroup %u
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%id = OpVariable %pu3 Input
%id2 = OpVariable %pu3 Input
%id3 = OpVariable %pu3 Input
%ft = OpTypeFunction %v %pg
%k = OpFunction %v None %ft
%p = OpFunctionParameter %pg
%l = OpLabel
%a = OpLoad %u3 %id
%b = OpCompositeExtract %u %a 0
%c = OpPtrAccessChain %pg %p %b
OpStore %c %b Aligned 4
OpReturn
OpFunctionEnd
%k2 = OpFunction %v None %ft
%p2 = OpFunctionParameter %pg
%l2 = OpLabel
%a2 = OpAccessChain %pu %id2 %c0
%b2 = OpLoad %u %a2
%c2 = OpPtrAccessChain %pg %p2 %b2
%y2 = OpInBoundsAccessChain %pu %id3 %c1
%y = OpLoad %u %y2
%z = OpIAdd %u %b2 %b2
%s = OpIAdd %u %y %z
OpStore %c2 %s Aligned 4
OpReturn
OpFunctionEnd
"""


@test
def kernels_may_have_a_variable_of_their_own_for_a_built_in_value():
    with tempfile.TemporaryDirectory() as folder:
        module = written(os.path.join(folder, "module"), TWO_KERNELS)
        for kernel, right in (("k", "0 1 2 3"), ("k2", "0 2 4 6")):
            status, out, err = command("bin/heddle", "run", module, "-d", "model", "-k", kernel, "-g", "4", "-p", "arg0",
                                       "zeros(4)")
            expect((0, f"arg0 = {right}\n", ""), (status, out, err), kernel)


# Functions that read through pointers to a built-in variable and to one of its elements; what makes %r of them.
ADDRESSES = """OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical32 OpenCL
OpEntryPoint Kernel %k "k" %id %id2
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %id2 BuiltIn GlobalInvocationId
%u = OpTypeInt 32 0
%v = OpTypeVoid
%b = OpTypeBool
%u3 = OpTypeVector %u 3
%pu3 = OpTypePointer Input %u3
%pu = OpTypePointer Input %u
%pg = OpTypePointer CrossWorkgroup %u
%ppu3 = OpTypePointer Function %pu3
%fu3 = OpTypePointer Function %u3
%two = OpTypeStruct %u %pu3
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c12 = OpConstant %u 12
%true = OpConstantTrue %b
%ft = OpTypeFunction %v %pg
%fw = OpTypeFunction %u %pu3
%fe = OpTypeFunction %u %pu
%fr = OpTypeFunction %pu3
%id = OpVariable %pu3 Input
%id2 = OpVariable %pu3 Input
%f = OpFunction %u None %fw
%fp = OpFunctionParameter %pu3
%fl = OpLabel
%fv = OpLoad %u3 %fp
%fx = OpCompositeExtract %u %fv 0
OpReturnValue %fx
OpFunctionEnd
%g = OpFunction %u None %fe
%gp = OpFunctionParameter %pu
%gl = OpLabel
%gv = OpLoad %u %gp
OpReturnValue %gv
OpFunctionEnd
{more}%k = OpFunction %v None %ft
%p = OpFunctionParameter %pg
%l = OpLabel
{body}
%a = OpPtrAccessChain %pg %p %r
OpStore %a %r Aligned 4
OpReturn
OpFunctionEnd
"""
ELEMENT = "%e = OpAccessChain %pu %id %c0\n"
WHOLE = "\n%w = OpLoad %u3 %q\n%r = OpCompositeExtract %u %w 0"
HANDED_ON = [
    "%r = OpFunctionCall %u %f %id",
    ELEMENT + "%r = OpFunctionCall %u %g %e",
    ELEMENT + "%x = OpLoad %u %e\n%y = OpFunctionCall %u %g %e\n%z = OpIAdd %u %x %y\n%r = OpISub %u %z %x",
    "%q = OpCopyObject %pu3 %id" + WHOLE,
    ELEMENT + "%q = OpCopyObject %pu %e\n%r = OpLoad %u %q",
    "%n = OpConvertPtrToU %u %id\n%q = OpConvertUToPtr %fu3 %n" + WHOLE,
    "%q = OpBitcast %pu %id\n%r = OpLoad %u %q",
    "%q = OpSelect %pu3 %true %id %id" + WHOLE,
    "%m = OpVariable %ppu3 Function\nOpStore %m %id\n%q = OpLoad %pu3 %m" + WHOLE,
    "%m = OpVariable %ppu3 Function\nOpStore %m %id2\n%q = OpLoad %pu3 %m" + WHOLE,
    "%q = OpSelect %pu3 %true %id2 %id" + WHOLE,
    "%r = OpFunctionCall %u %f %id2",
    ELEMENT.replace("%id", "%id2") + "%r = OpFunctionCall %u %g %e",
    "OpBranch %n\n%n = OpLabel\n%q = OpPhi %pu3 %id %l" + WHOLE,
    ELEMENT + "OpBranch %n\n%n = OpLabel\n%q = OpPhi %pu %e %l\n%r = OpLoad %u %q",
    "%q = OpPtrAccessChain %pu3 %id %c0" + WHOLE,
    "%q = OpInBoundsPtrAccessChain %pu %id %c0 %c0\n%r = OpLoad %u %q",
    "%q = OpAccessChain %pu3 %id" + WHOLE,
    "%q = OpVariable %fu3 Function\nOpCopyMemorySized %q %id %c12 Aligned 4" + WHOLE,
    "%q = OpVariable %fu3 Function\nOpCopyMemory %q %id Aligned 4" + WHOLE,
    "%s = OpCompositeConstruct %two %c1 %id\n%q = OpCompositeExtract %pu3 %s 1" + WHOLE,
    "%o = OpUndef %two\n%s = OpCompositeInsert %two %id %o 1\n%q = OpCompositeExtract %pu3 %s 1" + WHOLE,
    "%o = OpPtrEqual %b %id %id\n%x = OpLoad %u3 %id\n%y = OpCompositeExtract %u %x 0\n%r = OpSelect %u %o %y %c0",
]


@test
def the_address_of_a_built_in_variable_may_be_handed_on():
    with tempfile.TemporaryDirectory() as folder:
        for body in HANDED_ON:
            module = written(os.path.join(folder, "module"), ADDRESSES.format(body=body, more=""), "spv1.4")
            status, out, err = command("bin/heddle", "run", module, "-d", "model", "-k", "k", "-g", "4", "-p", "arg0",
                                       "zeros(4)")
            expect((0, "arg0 = 0 1 2 3\n", ""), (status, out, err), body)
        more = "%h = OpFunction %pu3 None %fr\n%hl = OpLabel\nOpReturnValue %id\nOpFunctionEnd\n"
        body = "%q = OpFunctionCall %pu3 %h" + WHOLE
        module = written(os.path.join(folder, "module"), ADDRESSES.format(body=body, more=more))
        status, _, err = compiled(module)
        expect(1, status, body)
        expect_in("OpReturnValue of the address of a built-in variable is not supported", err, body)


def doubled(depth, first, body):
    """Structures of two structures, so deep; the function stores such a value."""
    nested = "".join(f"%t{i + 1} = OpTypeStruct %t{i} %t{i}\n" for i in range(depth))
    return f"""OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical32 OpenCL
OpEntryPoint Kernel %k "k"
%u = OpTypeInt 32 0
%v = OpTypeVoid
%c5 = OpConstant %u 5
%pg = OpTypePointer CrossWorkgroup %u
%t0 = OpTypeStruct {first}
{nested}%top = OpConstantNull %t{depth}
%pt = OpTypePointer Function %t{depth}
%ft = OpTypeFunction %v %pg
%k = OpFunction %v None %ft
%p = OpFunctionParameter %pg
%l = OpLabel
%x = OpVariable %pt Function
{body}
OpStore %p %c5 Aligned 4
OpReturn
OpFunctionEnd
"""


@test
def a_value_of_too_many_scalars_is_refused_at_once():
    for first in ("%u %u", ""):
        for body in ("%y = OpUndef %t40", "%y = OpLoad %t40 %x", "OpStore %x %top"):
            with tempfile.TemporaryDirectory() as folder:
                # spirv-val would take 2 to the power of 40 steps.
                module = written(os.path.join(folder, "module"), doubled(40, first, body), is_checked=False)
                status, _, err = compiled(module)
                expect(1, status, f"{first}: {body}")
                expect_in("error: a function has a value of more than 16384 scalars", err, body)


tap.run("spirv_modules")

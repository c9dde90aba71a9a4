// @ skin_vertices 32768|2097152 128 f32:98304|6291456:1..2 f32:98304|6291456:0.5..1 u8:131072|8388608:0..64 u8:131072|8388608:1..256 f32:192:-0.1..0.1 f32:256:0..0.5 >f32:262144|16777216 32768|2097152
/*
 * Vertex skinning with up to four bones. Rotations are quaternions that get
 * blended and renormalised, translations are blended linearly. Only xyz of a
 * unit quaternion is stored, with w >= 0.
 *
 * Output per vertex: position xyz, 1, normal xyz, 0
 */

typedef struct Vertex
{
	float4 position;
	float4 normal;
} Vertex;

float4 unpackQuat( __constant float * rotations, const uint bone )
{
	const float3 v = vload3( bone, rotations );
	return (float4)( v, sqrt( fmax( 1.0f - dot( v, v ), 0.0f ) ) );
}

float3 quatRotate( const float4 q, const float3 v )
{
	const float3 t = 2.0f * cross( q.xyz, v );
	return v + q.w * t + cross( q.xyz, t );
}

__kernel void skin_vertices( __global const float *  positions,
                             __global const float *  normals,
                             __global const uchar4 * boneIndices,
                             __global const uchar4 * boneWeights,
                             __constant     float *  boneRotations,
                             __constant     float4 * boneTranslations,
                             __global       Vertex * vertices,
                             const int               numVertices )
{
	const int id = get_global_id( 0 );
	if( id >= numVertices )
		return;

	const uchar4 idx = boneIndices[ id ];
	float4 w = convert_float4( boneWeights[ id ] );
	w /= dot( w, (float4)( 1.0f ) );

	const float4 q0 = unpackQuat( boneRotations, idx.x );
	float4 q1 = unpackQuat( boneRotations, idx.y );
	float4 q2 = unpackQuat( boneRotations, idx.z );
	float4 q3 = unpackQuat( boneRotations, idx.w );

	// same hemisphere as the first one
	q1 = dot( q0, q1 ) < 0.0f ? -q1 : q1;
	q2 = dot( q0, q2 ) < 0.0f ? -q2 : q2;
	q3 = dot( q0, q3 ) < 0.0f ? -q3 : q3;

	const float4 q = normalize( q0 * w.x + q1 * w.y + q2 * w.z + q3 * w.w );
	const float4 t = boneTranslations[ idx.x ] * w.x + boneTranslations[ idx.y ] * w.y
	               + boneTranslations[ idx.z ] * w.z + boneTranslations[ idx.w ] * w.w;

	const float3 p = quatRotate( q, vload3( id, positions ) ) + t.xyz;
	const float3 n = normalize( quatRotate( q, vload3( id, normals ) ) );

	Vertex v;
	v.position = (float4)( p, 1.0f );
	v.normal   = (float4)( n, 0.0f );
	vertices[ id ] = v;
}
